import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { stageLabel } from "../../lib/requests/labels.ts";
import { count, labelOf, percent, power } from "../../lib/text/format.ts";

type Group = Reply<"groupProjects">["data"][number];

/** Stages whose label alone does not show that it is a stage. */
const studyStages: ReadonlySet<string> = new Set(["early", "mid"]);

/**
 * Compares the request with medians of its operator's listed requests with the same status: of all of them, of those with the same technology, and of
 * those that are also at the same stage.
 */
export function Peers({ project }: { project: Reply<"getProject"> }) {
	const { id, region, kind, status_std, type_std, construction_stage } = project;
	const groups: [name: string, filters: Record<string, string>][] = [
		[region, {}],
		[labelOf(type_std), { fuel_type: type_std }],
		[
			`${labelOf(type_std)}, ${stageLabel(construction_stage).toLowerCase()}${studyStages.has(construction_stage) ? " stage" : ""}`,
			{ fuel_type: type_std, construction_stage },
		],
	];
	const state = useRead(`peers ${id}`, (signal) =>
		Promise.all(
			groups.map(async ([, filters]) => {
				const query = { by: "region", region, kind, status: status_std, ...filters, per_page: 1 };
				return (await read("groupProjects", "/projects/groups", query, signal)).data[0];
			}),
		),
	);
	const isQueued = status_std === "Active";
	const measures: Measure[] = [
		["Capacity", project.capacity_mw, "median_capacity_mw", power],
		["Days in the queue", isQueued ? daysSince(project.queue_date) : null, "median_days_waiting", count],
		["Chance in 36 months", project.p_cod_36, "median_p_cod_36", percent],
	];
	return (
		<Section id="peers" title="Compared with similar requests" reads={[state]}>
			{state.data && (
				<Table
					scrolls="Medians of its peers"
					caption={`Medians of ${status_std.toLowerCase()} requests that ${region} lists`}
					rows={measures.filter(([, , field]) => state.data?.some((group) => group?.[field] != null))}
					attributes={([, , field]) => ({ "data-peers": field })}
					columns={[
						["Fact", ([name]) => name],
						["This request", ([, own, , text]) => (own === null ? "–" : text(own)), "number"],
						...groups.map(([name], at): [string, (measure: Measure) => string, "number"] => {
							const group = state.data?.[at];
							const cell = ([, , field, text]: Measure) => {
								const value = group?.[field] ?? null;
								return value === null ? "–" : text(value);
							};
							return [`${name} (${count(group?.requests ?? 0)})`, cell, "number"];
						}),
					]}
				/>
			)}
		</Section>
	);
}

type Median = "median_capacity_mw" | "median_days_waiting" | "median_p_cod_36";
type Measure = [name: string, own: number | null, median: Median & keyof Group, text: (value: number) => string];

const daysSince = (day: string | null): number | null =>
	day === null ? null : Math.floor((Date.now() - Date.parse(day)) / 86_400_000);
