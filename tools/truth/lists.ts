/** What the rules about operators' lists decide: how many requests, how large, and those that are known to be wrong still. Pure. */
import type { Answers, Project } from "./answers.ts";
import type { Figure } from "./table.ts";

export const gigawatts = (rows: readonly Project[]): string =>
	`${(rows.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0) / 1000).toFixed(1)} GW`;
const sizeOf = (rows: readonly Project[]): string => `${rows.length} (${gigawatts(rows)})`;
const named = (rows: readonly Project[]): string =>
	rows.length === 0 ? "" : `; exceptions: ${rows.map(({ id }) => id).sort().join(", ")}`;

/** Repowers of which ERCOT's note says that their MW are a net change are this large at most, by those that state one. */
const mostNetChange = 100;

export function figuresOfLists({ projects, listDays }: Answers): Figure[] {
	const of = (region: Project["region"]) => projects.filter((project) => project.region === region);
	const vanished = projects.filter(({ listed }) => listed !== "listed");
	const ended = vanished.filter(({ status_basis: basis }) => basis === "outcome_sheet");
	const open = vanished.filter(({ status_std: status }) => status === "Active" || status === "Suspended");
	const unknown = vanished.filter(({ status_std: status }) => status === "Unknown");
	const outcomes = (status: Project["status_std"]) => sizeOf(ended.filter(({ status_std }) => status_std === status));
	const silent = of("ISO-NE").filter(({ status, listed }) => status === null && listed === "listed");
	const tenYearsBefore = (day = "") => `${Number(day.slice(0, 4)) - 10}${day.slice(4)}`;
	const isOld = ({ queue_date: day }: Project) => day !== null && day < tenYearsBefore(listDays.get("ISO-NE"));
	const forgotten = silent.filter((project) => project.status_std === "Unknown");
	const stillActive = silent.filter((project) => project.status_std === "Active" && isOld(project));
	const approved = of("NYISO").filter((p) => p.cluster !== null && /^SRIS|^FS |^FES/.test(p.study_phase_filed ?? ""));
	const nameless = of("ERCOT").filter(({ type_std: type }) => type === "Unknown");
	const stamped = projects.filter(({ queue_date_current: day }) => day !== null);
	const undated = of("SPP").filter(({ cod, listed }) => cod === null && listed === "listed");
	const modified = of("CAISO").filter(({ request_class: kind }) => kind === "modification");
	const repowers = of("ERCOT").filter(({ capacity_basis: basis }) => basis === "net_change");
	const row = (what: string, before: string | null, now: string): Figure => ({ what, before, now });
	return [
		row("vanished requests called Active or Suspended", "471 (90.3 GW)", `${sizeOf(open)}${named(open)}`),
		row("vanished requests that reports of other months call built", "0", outcomes("Operational")),
		row("vanished requests that reports of other months call cancelled", "0", outcomes("Withdrawn")),
		row("vanished requests of which nothing says what became of them", null, sizeOf(unknown)),
		row(
			"of them in ERCOT",
			"182",
			`${sizeOf(unknown.filter(({ region }) => region === "ERCOT"))}${named(unknown.filter(({ region }) => region === "ERCOT"))}`,
		),
		row("ISO-NE's requests of which it says nothing for ten years, Unknown", "0", sizeOf(forgotten)),
		row("ISO-NE's as old, still Active", "112", `${sizeOf(stillActive)}${named(stillActive)}`),
		row("NYISO's cluster requests read by the codes of the serial process", "89 (15.6 GW)", `${sizeOf(approved)}${named(approved)}`),
		row("ERCOT's requests of unknown technology", "51 (8.2 GW)", `${sizeOf(nameless)}${named(nameless)}`),
		row("requests that were stamped anew, with their first queue date", "0", sizeOf(stamped)),
		row("SPP's listed requests without a date of operation", "69", `${sizeOf(undated)}${named(undated)}`),
		row(
			"CAISO's reopened requests, as modifications",
			"0",
			`${sizeOf(modified)}${named(modified.filter(({ added_type_std: added }) => added === null))}`,
		),
		row(
			"ERCOT's repowers, as net changes",
			"0",
			`${sizeOf(repowers)}${named(repowers.filter(({ capacity_mw: mw }) => (mw ?? 0) > mostNetChange))}`,
		),
	];
}
