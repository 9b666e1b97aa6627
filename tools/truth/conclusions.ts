/** Conclusions about plants, rights and void windows, by rule: how many requests, GW, and the exceptions that are left. Pure. */
import type { Project, Readings } from "./answers.ts";
import type { Figure } from "./table.ts";

const isListed = ({ listed }: Project): boolean => listed === "listed";
const gigawatts = (rows: readonly Project[], mw = (row: Project) => row.capacity_mw): string =>
	`${(rows.reduce((sum, row) => sum + (mw(row) ?? 0), 0) / 1000).toFixed(1)} GW`;
export const sized = (rows: readonly Project[]): string =>
	`${rows.length.toLocaleString("en-US")} (${gigawatts(rows)})`;

/** The largest by id: "none", or "3: PJM-A1, PJM-A2, PJM-A3". */
const maxIds = 10;
export function exceptions(rows: readonly Project[]): string {
	if (rows.length === 0) return "none";
	const largest = rows.toSorted((a, b) => (b.capacity_mw ?? 0) - (a.capacity_mw ?? 0)).map(({ id }) => id);
	const more = largest.length > maxIds ? ` and ${largest.length - maxIds} more` : "";
	return `${rows.length}: ${largest.slice(0, maxIds).join(", ")}${more}`;
}

/** Plants of MISO that have long been in operation while its list calls them under construction. */
const inOperation = ["MISO-J1063", "MISO-J1155", "MISO-J1154", "MISO-J919", "MISO-J680"];
const existing: ReadonlySet<string> = new Set(["replacement", "surplus", "capacity_rights"]);
const built: ReadonlySet<string> = new Set(["energized", "operating", "partially_operating", "retired"]);
const yearMs = 365 * 86_400_000;

/** "Before" is what a reader of an instance without these rules counted. */
export function conclusionsOf({ projects, investable, listDays, stats }: Readings): Figure[] {
	const listed = projects.filter(isListed);
	const invested = new Set(investable.map(({ id }) => id));
	const ofRegion = (region: string) => listed.filter((row) => row.region === region);
	const isActive = ({ status_std: status }: Project) => status === "Active";
	const energized = listed.filter(({ plant_state: state }) => state === "energized");
	const byEia = listed.filter(
		({ plant_state: state, plant_state_basis: basis }) => state === "operating" && basis?.startsWith("eia"),
	);
	const overdue = ofRegion("MISO").filter(
		({ construction_stage: stage, cod, region }) =>
			stage === "construction" && cod !== null && Date.parse(listDays.get(region) ?? "") - Date.parse(cod) > yearMs,
	);
	const partly = listed.filter(({ plant_state: state }) => state === "partially_operating");
	const isVoid = ({ status_flag: flag }: Project) => flag === "void_window";
	const isRight = ({ request_class: kind }: Project) => existing.has(kind);
	const isPast = ({ cod, region }: Project) => cod !== null && cod < (listDays.get(region) ?? "");
	const left = listed.filter((row) => built.has(row.plant_state) || isVoid(row) || isRight(row));
	const chosen = listed.filter(({ id }) => invested.has(id));
	const figure = (what: string, before: string | null, now: string): Figure => ({ what, before, now });
	const rights = (region: string) => ofRegion(region).filter((row) => isRight(row) && isActive(row));
	return [
		figure("energized, not yet in commercial operation", "about 150 (22 GW), as if to be built", sized(energized)),
		figure("listed as active by their operator, in operation by the EIA", "0", sized(byEia)),
		figure(
			"of five plants of MISO known to operate, not operating here",
			"5",
			exceptions(projects.filter(({ id, plant_state }) => inOperation.includes(id) && plant_state !== "operating")),
		),
		figure(
			"under construction in MISO, with a date more than a year past",
			"112 (17.6 GW), investable",
			sized(overdue),
		),
		figure(
			"of them neither unknown nor planned still by the EIA",
			null,
			exceptions(
				overdue.filter(
					({ plant_state: state, plant_state_basis: basis }) => state !== "unknown" && !basis?.startsWith("eia"),
				),
			),
		),
		figure("partly in operation", "25 (3.4 GW), as if not at all", sized(partly)),
		figure(
			"of them in operation",
			"2.3 GW",
			gigawatts(partly, ({ operating_mw }) => operating_mw),
		),
		figure("void windows of PJM, listed as active", "626 (57.2 GW), as active", sized(listed.filter(isVoid))),
		figure("requests of PJM for rights alone, listed as active", "327 (15.8 GW), as plants", sized(rights("PJM"))),
		figure("replacements and surplus of MISO, active", "205 (26.8 GW), as new", sized(rights("MISO"))),
		figure("replacements and surplus of SPP, active", "99 (16.4 GW), as new", sized(rights("SPP"))),
		figure(
			"in /investable, but energized, operating, void or of existing rights",
			null,
			exceptions(chosen.filter((row) => left.includes(row))),
		),
		figure("in /investable, past their date by their list's day", null, exceptions(chosen.filter(isPast))),
		figure(
			"with a credit value, but energized, operating, void or of existing rights",
			null,
			exceptions(left.filter(({ estimated_credit_value: value }) => value !== null)),
		),
		figure("active requests", null, `${stats.active_projects} (${stats.active_capacity_gw.toFixed(1)} GW)`),
		...stats.active_left_out.map(({ reason, count, total_mw }) =>
			figure(`left out of them: ${reason}`, "counted", `${count} (${(total_mw / 1000).toFixed(1)} GW)`),
		),
	];
}
