/** One line a measure: medians, how their ratio spread over the turns, p99 and CPU time, the aim. */
import { median } from "./measure.ts";

/** One figure a turn. */
export interface Turns {
	ours: number[];
	/** Empty: there is nothing to compare with. */
	baseline: number[];
}

export interface Row extends Turns {
	measure: string;
	unit: string;
	/** The baseline. */
	than?: string;
	/** p99 of each turn (ms). */
	p99?: Turns;
	/** CPU time a request, of all processes that work on it (ms). */
	cpuMs?: Turns;
	/** Aim for the ratio of ours to the baseline. */
	aim?: { atLeast: number } | { atMost: number };
	note?: string;
}

export interface Ratio {
	median: number;
	/** Least and most of the turns'. */
	least: number;
	most: number;
}

/** Turn against turn, as they were run; undefined where there is nothing to compare with. */
export function ratioOf({ ours, baseline }: Turns): Ratio | undefined {
	if (baseline.length === 0) return undefined;
	const paired = ours.length === baseline.length;
	const ratios = paired ? ours.map((value, turn) => value / (baseline[turn] ?? Number.NaN)) : [];
	const ofMedians = median(ours) / median(baseline);
	return { median: ofMedians, least: Math.min(ofMedians, ...ratios), most: Math.max(ofMedians, ...ratios) };
}

export function isMet(aim: NonNullable<Row["aim"]>, ratio: Ratio): boolean {
	return "atLeast" in aim ? ratio.median >= aim.atLeast : ratio.median <= aim.atMost;
}

export const aimText = (aim: NonNullable<Row["aim"]>): string =>
	"atLeast" in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`;

const head = ["measure", "median", "p99", "CPU", "baseline", "p99", "CPU", "unit", "ratio", "", "aim", "", ""];
const numeric = new Set([1, 2, 3, 4, 5, 6, 8]);

export function render(rows: Row[]): string {
	const table = [head, ...rows.map((row) => [row.measure, ...figures(row), noteOf(row)])];
	const widths = head.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
	const pad = (cell: string, at: number) =>
		numeric.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
	return table.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

function figures(row: Row): string[] {
	const { unit, ours, baseline, aim, p99, cpuMs } = row;
	const middle = (turns: readonly number[] | undefined) => (turns?.length ? short(median(turns)) : "");
	const ratio = ratioOf(row);
	return [
		...[middle(ours), middle(p99?.ours), middle(cpuMs?.ours)],
		...[middle(baseline), middle(p99?.baseline), middle(cpuMs?.baseline)],
		unit,
		ratio === undefined ? "" : short(ratio.median),
		ratio === undefined ? "" : `${short(ratio.least)}-${short(ratio.most)}`,
		aim === undefined ? "" : aimText(aim),
		aim === undefined || ratio === undefined ? "" : isMet(aim, ratio) ? "met" : "MISSED",
	];
}

const noteOf = ({ than, note }: Row): string => [than && `against ${than}`, note].filter(Boolean).join("; ");

/** Three significant digits are all that such a measurement is good for. */
export const short = (value: number): string =>
	Number.isNaN(value) ? "-" : value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);

/** The least and the most, which is how far a median can be trusted. */
export const spread = (values: readonly number[]): string =>
	`${short(Math.min(...values))} to ${short(Math.max(...values))}`;
