/** Finds the cells of a list from which the value of a field is read, and the rule that reads them. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import type { ProvenanceRule } from "#libs/contract/operations/quality/provenance-rules.ts";
import { columnName } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { type FieldCells, type RowOrigin, readers, type TableLayout } from "../sources/filed-cells.ts";

export type FoundCell = NonNullable<Reply<"verifyValue">["cell"]>;

export const noCell: FoundCell = { sheet: null, row: null, column: null, header: null, raw: null };

export interface FieldOrigin {
	rule: ProvenanceRule;
	stated: boolean;
	value: string | number | null;
	cell: FoundCell;
	inputs: FoundCell[];
	passedOver: { value: string | number; cell: FoundCell }[];
}

/** Fields that are derived from the cells of other fields at all operators. */
const derivations: Record<string, { rule: ProvenanceRule; from: readonly string[] }> = {
	counties: { rule: "county.register", from: ["county", "state"] },
	components: { rule: "components.technology", from: ["type_std"] },
	county: { rule: "county.register", from: ["county", "state"] },
	state: { rule: "county.state", from: ["state", "county"] },
	fips: { rule: "county.fips", from: ["county", "state"] },
	lat: { rule: "county.centre", from: ["county", "state"] },
	lon: { rule: "county.centre", from: ["county", "state"] },
	location_precision: { rule: "county.centre", from: ["county", "state"] },
	construction_stage: { rule: "stage.evidence", from: ["status_std", "study_phase"] },
	construction_stage_confidence: { rule: "stage.confidence", from: ["status_std", "study_phase", "cod"] },
	plant_state: { rule: "plant.state", from: ["status_std", "energized_date", "cod", "backfeed_date", "operating_mw"] },
	plant_state_basis: {
		rule: "plant.state",
		from: ["status_std", "energized_date", "cod", "backfeed_date", "operating_mw"],
	},
	plant_state_evidence: {
		rule: "plant.state",
		from: ["status_std", "energized_date", "cod", "backfeed_date", "operating_mw"],
	},
	incremental_mw: { rule: "request.incremental", from: ["request_class", "capacity_mw"] },
	added_type_std: { rule: "request.addition", from: ["components", "type_std"] },
	queue_date_current: { rule: "queue.current", from: ["queue_date"] },
	poi_id: { rule: "poi.name", from: ["poi", "utility", "state", "county"] },
	ia_status: { rule: "agreement.status", from: ["status_std", "study_phase"] },
};

/** Derived fields that some tables also contain themselves. */
const fieldsOfSomeTables: ReadonlySet<string> = new Set(["construction_stage", "components", "incremental_mw"]);

/** Finds the row that decides a field: the last row that is recorded for it, else the first row of the request. */
export function findDecidingRow(field: string, origins: readonly RowOrigin[]): RowOrigin | undefined {
	const sourceFields = derivations[field]?.from ?? [field];
	const recordedRows = origins.filter(({ fields }) =>
		fields?.some((name) => name === field || sourceFields.includes(name)),
	);
	return recordedRows.at(-1) ?? origins[0];
}

/** Rules of programs whose list has no county column and covers only one state. */
const singleStateRules: ReadonlySet<ProvenanceRule> = new Set(["nyserda.county", "nyserda.state"]);

function findCells(field: string, { fields }: TableLayout): FieldCells | undefined {
	const derivation = derivations[field];
	const tableField = fields[field];
	// The table contains the field itself, or the field is status_basis.
	if (
		derivation === undefined ||
		(tableField !== undefined && (fieldsOfSomeTables.has(field) || singleStateRules.has(tableField.rule)))
	)
		return tableField ?? (field === "status_basis" ? fields.status_std : undefined);
	const sources = derivation.from.flatMap((name) => fields[name] ?? []);
	if (sources.length === 0) return undefined;
	const columns = [...new Set(sources.flatMap((source) => source.columns))];
	return { rule: derivation.rule, reads: "together", columns };
}

export function findFieldOrigin(
	field: string,
	tables: readonly TableLayout[],
	origins: readonly RowOrigin[],
	cells: readonly Cell[] | undefined,
): FieldOrigin | undefined {
	const origin = findDecidingRow(field, origins);
	const table = origin === undefined ? undefined : tables[origin.table];
	if (origin === undefined || table === undefined) return undefined;
	const fieldCells = findCells(field, table);
	if (fieldCells === undefined) return toUnpublishedOrigin(field, { ...noCell, sheet: table.sheet, row: origin.row });
	const toCell = (column: number): FoundCell => ({
		sheet: table.sheet,
		row: origin.row,
		column: columnName(column, table.sheet),
		header: table.headers[column] ?? null,
		raw: rawOf(cells?.[column]),
	});
	const { rule, reads, columns } = fieldCells;
	if (reads === "together") {
		const filled = columns.filter((column) => rawOf(cells?.[column]) !== null);
		const [first = columns[0], ...rest] = filled;
		const cell = first === undefined ? { ...noCell, sheet: table.sheet, row: origin.row } : toCell(first);
		return { rule, stated: false, value: null, cell, inputs: rest.map(toCell), passedOver: [] };
	}
	const cellValues = columns.map((column) => ({ column, value: readers[reads](cells?.[column] ?? null) }));
	const decidingCell = cellValues.find(({ value }) => value !== null) ?? cellValues[0];
	if (decidingCell === undefined) return undefined;
	const passedOver = cellValues
		.slice(cellValues.indexOf(decidingCell) + 1)
		.flatMap(({ column, value }) =>
			value === null || value === decidingCell.value ? [] : [{ value, cell: toCell(column) }],
		);
	return { rule, stated: true, value: decidingCell.value, cell: toCell(decidingCell.column), inputs: [], passedOver };
}

/** Kind and class are constant in a list without such columns: all of its requests are for generation and for new plants. */
const toUnpublishedOrigin = (field: string, cell: FoundCell): FieldOrigin => ({
	rule: field === "kind" || field === "request_class" ? "list.constant" : "list.absent",
	stated: false,
	value: null,
	cell,
	inputs: [],
	passedOver: [],
});

/** Maximum characters of a cell that are returned. No cell of a list is this long. */
const maxRawLength = 4_000;

function rawOf(cell: Cell): string | null {
	if (cell === null || cell === undefined || cell === "") return null;
	return String(cell).slice(0, maxRawLength);
}
