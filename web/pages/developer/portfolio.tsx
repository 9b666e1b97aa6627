import { useState } from "preact/hooks";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { count, power, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { Pager } from "../../lib/pager.tsx";
import { ProjectLink } from "../../lib/project-link.tsx";
import { useRead } from "../../lib/use-read.ts";

const atOnce = 50;

/** Its listed requests, the largest first, and how many have come how far. */
export function Portfolio({ id }: { id: string }) {
	const [page, setPage] = useState(1);
	const path = `/developers/${id}/projects`;
	const state = useRead(`${path} ${page}`, (signal) =>
		read("listDeveloperProjects", path, { page, per_page: atOnce }, signal),
	);
	const { projects, by_stage, meta } = state.data ?? {};
	return (
		<section aria-labelledby="requests">
			<h2 id="requests">Listed requests</h2>
			<Failed state={state} />
			{by_stage && (
				<p>
					{Object.entries(by_stage)
						.map(([stage, requests]) => `${words(stage)}: ${count(requests)}`)
						.join(" · ")}
				</p>
			)}
			<table>
				<Head columns={["Request", "State", "Construction", number("Capacity")]} />
				<tbody>
					{projects?.map((project) => (
						<tr key={project.id} data-id={project.id}>
							<th scope="row">
								<ProjectLink {...project} />
							</th>
							<td>{project.state ?? "–"}</td>
							<td>{words(project.stage)}</td>
							<td class="number">{project.capacity_mw === null ? "–" : power(project.capacity_mw)}</td>
						</tr>
					))}
				</tbody>
			</table>
			<Pager
				page={page}
				total={meta?.total ?? 0}
				atOnce={atOnce}
				words={{ before: "Before", next: "Next" }}
				go={setPage}
			/>
		</section>
	);
}
