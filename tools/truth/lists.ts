/** Conclusions from operators' lists, by rule: how many requests, GW, and the exceptions that are left. Pure. */
import type { Project, Readings } from "./answers.ts";
import { exceptions, sized } from "./conclusions.ts";
import type { Figure } from "./table.ts";

/** "Before" is what a reader of an instance without these rules counted. */
export function figuresOfLists({ projects, listDays }: Readings): Figure[] {
	const of = (region: Project["region"]) => projects.filter((project) => project.region === region);
	const gone = projects.filter(({ listed }) => listed !== "listed");
	const open = (how: Project["listed"]) =>
		gone.filter(({ listed, status_std: status }) => listed === how && (status === "Active" || status === "Suspended"));
	const unknown = gone.filter(({ status_basis: basis }) => basis === "absence");
	const ended = (status: Project["status_std"]) =>
		sized(gone.filter((p) => p.status_basis === "outcome_sheet" && p.status_std === status));
	const tenYearsBefore = (day = "") => `${Number(day.slice(0, 4)) - 10}${day.slice(4)}`;
	const silent = of("ISO-NE").filter(({ status, listed }) => status === null && listed === "listed");
	const lapsed = silent.filter(({ status_std: status }) => status === "Unknown");
	const old = silent.filter(
		({ status_std: status, queue_date: day }) =>
			status === "Active" && day !== null && day < tenYearsBefore(listDays.get("ISO-NE")),
	);
	const serial = of("NYISO").filter((p) => p.cluster !== null && /^(SRIS|FS|FES)\b/.test(p.study_phase_filed ?? ""));
	const nameless = of("ERCOT").filter(({ type_std: type }) => type === "Unknown");
	const stamped = projects.filter(({ queue_date_current: day }) => day !== null);
	const undated = of("SPP").filter(({ cod, listed }) => cod === null && listed === "listed");
	const reopened = of("CAISO").filter(({ request_class: kind }) => kind === "modification");
	const repowers = of("ERCOT").filter(
		({ name, request_class: kind }) => kind === "modification" && /repower/i.test(name ?? ""),
	);
	const wholes = repowers.filter(({ capacity_basis: basis }) => basis !== "net_change");
	const figure = (what: string, before: string | null, now: string): Figure => ({ what, before, now });
	return [
		figure(
			"disappeared from their lists and called active or suspended",
			"471 (90.3 GW)",
			exceptions(open("disappeared")),
		),
		figure("missing from the newest list alone, and open as last filed", null, sized(open("missing"))),
		figure("disappeared, and nothing says what became of them: unknown", null, sized(unknown)),
		figure("of them in ERCOT", "182, active", exceptions(unknown.filter(({ region }) => region === "ERCOT"))),
		figure("vanished, built by a report of another month", "67, active", ended("Operational")),
		figure("vanished, cancelled by a report of another month", "109, active", ended("Withdrawn")),
		figure("of ISO-NE, unknown: ten years without a word", "112, active", sized(lapsed)),
		figure("of ISO-NE as old and without a status, active", null, exceptions(old)),
		figure("of NYISO's clusters, by the codes of the serial process", "89 (15.6 GW)", exceptions(serial)),
		figure("of ERCOT, of unknown technology", "51 (8.2 GW)", exceptions(nameless)),
		figure("stamped anew, with the day on which they were first filed", "57, younger", sized(stamped)),
		figure("of SPP, without a date of operation", "69", exceptions(undated)),
		figure("reopened by CAISO, as modifications", "9, as new", sized(reopened)),
		figure(
			"of them without a part that its lists show to be added",
			null,
			exceptions(reopened.filter(({ added_type_std: added }) => added === null)),
		),
		figure("repowers of ERCOT", "0", sized(repowers)),
		figure("of them as large as a plant, which say nothing of the change", null, sized(wholes)),
		figure("of them with MW that they add", null, exceptions(wholes.filter(({ incremental_mw: mw }) => mw !== null))),
	];
}
