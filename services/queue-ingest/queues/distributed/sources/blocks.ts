/** Reads the headers of form EIA-861, which have two or three levels: technology, measure and sector of each column. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, number } from "#libs/files/values.ts";

/** A block of columns, one per sector. Blocks are found by the labels above their columns, because layouts changed over the years. */
export interface Block {
	/** Label of the top level: "photovoltaic". */
	group: string;
	/** Label of the level below: "customers". Empty if the header has only two levels. */
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
const maxHeaderRows = 10;
/** Maximum difference between a total and its sum, because each number is rounded to the kilowatt (or kilowatt-hour). */
const maxRoundingDifference = 0.0051;

export function readBlocks(table: Table): BlockTable {
	const at = table.rows
		.slice(0, maxHeaderRows)
		.findIndex((row) =>
			["state", "utility number", "residential", "total"].every((name) => row.some((cell) => headerKey(cell) === name)),
		);
	if (at < 0) throw new StructureError(`${table.name}: no header row with state, utility number and sectors`);
	const header = (table.rows[at] ?? []).map(headerKey);
	const labelRows = table.rows.slice(0, at).map((row) => spreadLabels(row, header.length));
	const blocks: Block[] = [];
	const named = new Map<string, number>();
	for (const [column, name] of header.entries()) {
		if (!sectors.includes(name)) {
			if (name !== "" && !named.has(name)) named.set(name, column);
			continue;
		}
		const [group = "", measure = ""] = labelRows.slice(-2).map((labels) => labels[column] ?? "");
		const lastBlock = blocks.at(-1);
		if (lastBlock?.group === group && lastBlock.measure === measure && !lastBlock.columns.has(name))
			lastBlock.columns.set(name, column);
		else blocks.push({ group, measure, columns: new Map([[name, column]]) });
	}
	return { named, blocks, rows: table.rows.slice(at + 1) };
}

/** Repeats each label, which is filed only above its first column, up to the next label. */
function spreadLabels(row: readonly Cell[], width: number): string[] {
	let label = "";
	return Array.from({ length: width }, (_, at) => {
		label = headerKey(row[at]) || label;
		return label;
	});
}

/** Whether the sectors of a block add up to its total; true if it has no total. */
export function addsUp({ columns }: Block, row: readonly Cell[]): boolean {
	const at = columns.get("total");
	const total = at === undefined ? null : number(row[at]);
	if (total === null) return true;
	let sum = 0;
	for (const [sector, column] of columns) if (sector !== "total") sum += number(row[column]) ?? 0;
	return Math.abs(sum - total) <= maxRoundingDifference;
}
