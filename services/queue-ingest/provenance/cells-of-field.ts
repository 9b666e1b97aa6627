/** Finds the cells of a list from which a field is read, and the rule that reads them. Pure. */
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

/** Fields that are derived from the cells of other fields, whatever the operator. */
const derived: Record<string, { rule: ProvenanceRule; from: readonly string[] }> = {
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

const ownFields: ReadonlySet<string> = new Set(["construction_stage", "components", "incremental_mw"]);

export function findDecidingRow(field: string, origins: readonly RowOrigin[]): RowOrigin | undefined {
	const wanted = derived[field]?.from ?? [field];
	const further = origins.filter(({ fields }) => fields?.some((name) => name === field || wanted.includes(name)));
	return further.at(-1) ?? origins[0];
}

/** Rules of programmes whose list has no county column and covers only one state. */
const singleStateRules: ReadonlySet<ProvenanceRule> = new Set(["nyserda.county", "nyserda.state"]);

function ruleOf(field: string, { fields }: TableLayout): FieldCells | undefined {
	const rule = derived[field];
	const own = fields[field];
	// The table states the stage or the parts itself, or the field is status_basis.
	if (rule === undefined || (own !== undefined && (ownFields.has(field) || singleStateRules.has(own.rule))))
		return own ?? (field === "status_basis" ? fields.status_std : undefined);
	const parts = rule.from.flatMap((name) => fields[name] ?? []);
	if (parts.length === 0) return undefined;
	return { rule: rule.rule, reads: "together", columns: [...new Set(parts.flatMap(({ columns }) => columns))] };
}

export function cellsOfField(
	field: string,
	tables: readonly TableLayout[],
	origins: readonly RowOrigin[],
	cells: readonly Cell[] | undefined,
): FieldOrigin | undefined {
	const origin = findDecidingRow(field, origins);
	const table = origin === undefined ? undefined : tables[origin.table];
	if (origin === undefined || table === undefined) return undefined;
	const fieldCells = ruleOf(field, table);
	if (fieldCells === undefined) return unpublished(field, { ...noCell, sheet: table.sheet, row: origin.row });
	const at = (column: number): FoundCell => ({
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
		const cell = first === undefined ? { ...noCell, sheet: table.sheet, row: origin.row } : at(first);
		return { rule, stated: false, value: null, cell, inputs: rest.map(at), passedOver: [] };
	}
	const read = columns.map((column) => ({ column, value: readers[reads](cells?.[column] ?? null) }));
	const decides = read.find(({ value }) => value !== null) ?? read[0];
	if (decides === undefined) return undefined;
	const passedOver = read
		.slice(read.indexOf(decides) + 1)
		.flatMap(({ column, value }) => (value === null || value === decides.value ? [] : [{ value, cell: at(column) }]));
	return { rule, stated: true, value: decides.value, cell: at(decides.column), inputs: [], passedOver };
}

/** A list without columns of kind and class has only requests for generation and for new plants. */
const unpublished = (field: string, cell: FoundCell): FieldOrigin => ({
	rule: field === "kind" || field === "request_class" ? "list.constant" : "list.absent",
	stated: false,
	value: null,
	cell,
	inputs: [],
	passedOver: [],
});

/** A limit above the length of any cell of a list. */
const longestRaw = 4_000;

function rawOf(cell: Cell): string | null {
	if (cell === null || cell === undefined || cell === "") return null;
	return String(cell).slice(0, longestRaw);
}
