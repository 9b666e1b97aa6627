/** Reads the headers of form EIA-861, which have two or three levels: technology, measure and sector of each column. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, number } from "#libs/files/values.ts";

/** A block of columns by sector. It is found by the labels above its columns, because layouts changed over the years. */
export interface Block {
	/** The widest level: "photovoltaic". */
	group: string;
	/** "customers"; empty with two levels. */
	measure: string;
	/** Positions by sector: "residential", "total". */
	columns: Map<string, number>;
}

export interface BlockTable {
	/** Positions of the columns before the blocks, by name. */
	named: Map<string, number>;
	blocks: Block[];
	rows: Cell[][];
}

const sectors = ["residential", "commercial", "industrial", "transportation", "direct connected", "total"];
const searchRows = 10;
/** Each number of a sum is rounded to the kilowatt (or kilowatt-hour). */
const rounding = 0.0051;

export function readBlocks(table: Table): BlockTable {
	const at = table.rows
		.slice(0, searchRows)
		.findIndex((row) =>
			["state", "utility number", "residential", "total"].every((name) => row.some((cell) => headerKey(cell) === name)),
		);
	if (at < 0) throw new StructureError(`${table.name}: no header row with state, utility number and sectors`);
	const header = (table.rows[at] ?? []).map(headerKey);
	const above = table.rows.slice(0, at).map((row) => spreadLabels(row, header.length));
	const blocks: Block[] = [];
	const named = new Map<string, number>();
	for (const [column, name] of header.entries()) {
		if (!sectors.includes(name)) {
			if (name !== "" && !named.has(name)) named.set(name, column);
			continue;
		}
		const [group = "", measure = ""] = above.slice(-2).map((labels) => labels[column] ?? "");
		const last = blocks.at(-1);
		if (last?.group === group && last.measure === measure && !last.columns.has(name)) last.columns.set(name, column);
		else blocks.push({ group, measure, columns: new Map([[name, column]]) });
	}
	return { named, blocks, rows: table.rows.slice(at + 1) };
}

/** Repeats a label, which is above the first of its columns, up to the next label. */
function spreadLabels(row: readonly Cell[], width: number): string[] {
	let label = "";
	return Array.from({ length: width }, (_, at) => {
		label = headerKey(row[at]) || label;
		return label;
	});
}

/** Whether the sectors of a block add up to its total; true without a total. */
export function addsUp({ columns }: Block, row: readonly Cell[]): boolean {
	const at = columns.get("total");
	const total = at === undefined ? null : number(row[at]);
	if (total === null) return true;
	let sum = 0;
	for (const [sector, column] of columns) if (sector !== "total") sum += number(row[column]) ?? 0;
	return Math.abs(sum - total) <= rounding;
}
