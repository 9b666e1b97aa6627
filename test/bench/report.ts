/** One line a measure: medians, their ratio, the aim. */
import { median } from "./measure.ts";

export interface Row {
	measure: string;
	unit: string;
	ours: number[];
	/** Empty: there is nothing to compare with. */
	baseline: number[];
	/** Of the ratio ours to baseline. */
	aim?: { atLeast: number } | { atMost: number };
	/** What else belongs to the figure. */
	note?: string;
}

export function render(rows: Row[]): string {
	const lines = rows.map((row) => [row.measure, ...figures(row), row.note ?? ""]);
	const table = [["measure", "median", "baseline", "unit", "ratio", "aim", "", ""], ...lines];
	const widths = table[0]?.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0))) ?? [];
	const numeric = new Set([1, 2, 4]);
	const pad = (cell: string, at: number) =>
		numeric.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
	return table.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}

function figures({ unit, ours, baseline, aim }: Row): string[] {
	const [a, b] = [median(ours), median(baseline)];
	if (baseline.length === 0) return [short(a), "", unit, "", "", ""];
	const ratio = a / b;
	if (aim === undefined) return [short(a), short(b), unit, short(ratio), "", ""];
	const met = "atLeast" in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
	const said = "atLeast" in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`;
	return [short(a), short(b), unit, short(ratio), said, met ? "met" : "MISSED"];
}

/** Three significant digits are all that such a measurement is good for. */
export const short = (value: number): string =>
	Number.isNaN(value) ? "-" : value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);

/** The least and the most, which is how far a median can be trusted. */
export const spread = (values: readonly number[]): string =>
	`${short(Math.min(...values))} to ${short(Math.max(...values))}`;
