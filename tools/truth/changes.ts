/** Whether real changes are reported, and nothing else: figures of single lists whose changes were counted by hand. */
import type { Reply } from "../../libs/contract/index.ts";
import type { Figure } from "./table.ts";

export type Change = Extract<Reply<"listChanges">, { total: number }>["data"][number];

/** Operator and day of the list, with what the feed said before. */
export const probes = [
	{
		region: "ERCOT",
		day: "2025-09-30",
		type: "cod_change",
		what: "dates moved in ERCOT's list of 2025-09-30, since that of 2024-12-31",
		before: "one line: 795 projects recoded",
	},
	{
		region: "SPP",
		day: "2025-01-22",
		type: "cod_change",
		what: "dates moved in SPP's list of 2025-01-22",
		before: "one line: 246 projects recoded",
	},
	{
		region: "MISO",
		day: "2025-05-11",
		type: "study_phase_change",
		what: "phases moved in MISO's list of 2025-05-11",
		before: "one line: 2228 projects recoded",
	},
	{
		region: "PJM",
		day: "2024-08-19",
		type: "status_change",
		what: "status changes by PJM's list labelled 2024-08-19, which is of March",
		before: "58 backwards",
	},
	{
		region: "MISO",
		day: "2026-06-29",
		type: "raw_update",
		what: "cells that differ in MISO's list of 2026-06-29, whose headings are others",
		before: null,
	},
	{
		region: "NYISO",
		day: "2024-12-10",
		type: "raw_update",
		what: "cells that differ in NYISO's list of 2024-12-10, whose headings are others",
		before: null,
	},
] as const;

export type Probed = (typeof probes)[number] & { changes: Change[] };

type Get = <T>(path: string, params: Record<string, string>) => Promise<T>;

export async function readProbes(get: Get): Promise<Probed[]> {
	const read: Probed[] = [];
	for (const probe of probes) {
		const params = {
			region: probe.region,
			since: probe.day,
			until: probe.day,
			change_type: probe.type,
			per_page: "500",
		};
		const changes: Change[] = [];
		for (let page = 1, total = 1; changes.length < total; page++) {
			const answer = await get<{ data: Change[]; total: number }>("/changes", { ...params, page: String(page) });
			total = answer.data.length === 0 ? 0 : answer.total;
			changes.push(...answer.data);
		}
		read.push({ ...probe, changes });
	}
	return read;
}

/** Requests, their megawatts, and the lines that stand for many of them, which a renaming makes and nothing else. */
export const figuresOfChanges = (probed: readonly Probed[]): Figure[] =>
	probed.map(({ what, before, type, changes }) => {
		const single = new Map(
			changes.flatMap((change) => (change.project_id === null ? [] : [[change.project_id, change]])),
		);
		const gigawatts = [...single.values()].reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0) / 1000;
		const later = [...single.values()].filter(
			({ old_value, new_value }) => (new_value ?? "") > (old_value ?? ""),
		).length;
		const folded = changes.flatMap(({ project_id, field_name, new_value }) =>
			project_id === null ? `${field_name}: ${new_value}` : [],
		);
		const parts = [
			`${single.size.toLocaleString("en-US")} requests (${gigawatts.toFixed(1)} GW)`,
			...(type === "cod_change" ? [`${later} later`] : []),
			...(folded.length === 0 ? [] : [`in one line: ${folded.join(", ")}`]),
		];
		return { what, before, now: parts.join(", ") };
	});
