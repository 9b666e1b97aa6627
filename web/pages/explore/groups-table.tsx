import { useEffect, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { type Query, read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Pager } from "../../lib/elements/table.tsx";
import { count, filed, power } from "../../lib/text/format.ts";

export type Group = Reply<"groupProjects">["data"][number];

interface GroupsTableProps {
	by: "county" | "poi";
	query: Query;
	version: string;
	show(group: Group): void;
	/** Only what is in it. */
	choose(group: Group): void;
}

const atOnce = 50;

/** Counties, or points of interconnection by county: a point is on the map only where its coordinates are filed. */
export function GroupsTable({ by, query, version, show, choose }: GroupsTableProps) {
	const key = JSON.stringify([by, query]);
	const [page, setPage] = useState(1);
	useEffect(() => setPage(1), [key]);
	const asked = { ...query, by, page, per_page: atOnce };
	const state = useRead(`${key} ${page} ${version}`, (signal) =>
		read("groupProjects", "/projects/groups", asked, signal),
	);
	const found = state.data;
	const isCounty = by === "county";
	return (
		<>
			<Failed state={state} />
			{found && (
				<>
					<div class="scrolled">
						<table data-groups={by}>
							<thead>
								<tr>
									{!isCounty && <th scope="col">Point of interconnection, as filed</th>}
									<th scope="col">County</th>
									<th scope="col">State</th>
									<th scope="col" class="number">
										Requests
									</th>
									<th scope="col" class="number">
										Capacity
									</th>
									<th scope="col">Look</th>
								</tr>
							</thead>
							<tbody>
								{found.data.map((group) => (
									<tr key={`${group.value} ${group.state} ${group.county} ${group.fips}`}>
										{!isCounty && <th scope="row">{filed(group.value ?? "Not filed", 80)}</th>}
										{isCounty ? (
											<th scope="row">{filed(group.county ?? "Not filed", 60)}</th>
										) : (
											<td>{filed(group.county ?? "–", 60)}</td>
										)}
										<td>{filed(group.state ?? "–", 20)}</td>
										<td class="number">{count(group.requests)}</td>
										<td class="number">{power(group.capacity_mw)}</td>
										<td class="actions">
											<Actions {...{ group, by, show, choose }} />
										</td>
									</tr>
								))}
							</tbody>
						</table>
					</div>
					<Pager
						page={page}
						total={found.meta.total}
						atOnce={atOnce}
						words={{ before: "Before", next: "Next" }}
						go={setPage}
					/>
				</>
			)}
		</>
	);
}

function Actions({ group, by, show, choose }: Pick<GroupsTableProps, "by" | "show" | "choose"> & { group: Group }) {
	const name = filed((by === "county" ? group.county : group.value) ?? "", 60);
	const isKnown = by === "county" ? group.fips !== null : (group.value ?? "").length > 1;
	return (
		<>
			{group.lat !== null && (
				<button type="button" class="plain" aria-label={`Map: ${name}`} onClick={() => show(group)}>
					Map
				</button>
			)}{" "}
			{isKnown && (
				<button type="button" class="plain" aria-label={`Only these: ${name}`} onClick={() => choose(group)}>
					Only these
				</button>
			)}
		</>
	);
}
