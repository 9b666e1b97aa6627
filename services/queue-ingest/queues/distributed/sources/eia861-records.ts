/** Converts a row of form EIA-861 to records: a utility's installations in a state, by technology and sector. Pure. */
import type { DgProgram, DgSector } from "#libs/contract/vocabulary.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { type Cell, number } from "#libs/files/values.ts";
import type { Block, BlockTable } from "./blocks.ts";
import { blankRecord, type DgRecord } from "./record.ts";

/** The utility that filed a row, and the row's state and year. */
export interface Filing {
	year: number;
	state: string;
	utilityId: number;
	utility: string | null;
	balancingAuthority: string | null;
	/** How photovoltaic capacity is reported. */
	basis: "AC" | "DC" | null;
	/** Reads a cell in front of the blocks by its header. */
	cell(name: string): Cell;
}

/** Utility number of the EIA's own row for a state: a deduction for capacity that was reported as direct current. */
const adjustmentId = 99_999;

const sectors = new Map(
	Object.entries<DgSector>({
		residential: "residential",
		commercial: "commercial",
		industrial: "industrial",
		transportation: "transportation",
		"direct connected": "direct_connected",
	}),
);

interface Technology {
	/** `Unknown` for engines and turbines, whose fuel the form does not state. */
	technology: string;
	filed: string;
}

const technologies = new Map(
	Object.entries<Technology>({
		photovoltaic: { technology: "Solar", filed: "Photovoltaic" },
		storage: { technology: "Storage", filed: "Storage" },
		wind: { technology: "Wind", filed: "Wind" },
		hydroelectric: { technology: "Hydro", filed: "Hydroelectric" },
		"fuel cells": { technology: "Fuel Cell", filed: "Fuel Cells" },
		"internal combustion": { technology: "Unknown", filed: "Internal Combustion" },
		"combustion turbine": { technology: "Unknown", filed: "Combustion Turbine" },
		steam: { technology: "Unknown", filed: "Steam" },
		other: { technology: "Other", filed: "Other" },
	}),
);
const totals = ["all technologies", "total"];

type Measure = "capacity_mw" | "customers" | "energy_sold_back_mwh";

/** Meaning of a block of columns, by its technology and measure. Virtual net metering is a separate program; storage is a technology. */
interface Meaning extends Technology {
	program: DgProgram;
	measure: Measure;
}

function netMeteringMeaning({ group, measure }: Block): Meaning | undefined {
	const technology = technologies.get(group);
	if (technology === undefined) return undefined;
	const [, special = "", word = ""] =
		/^(storage|virtual)?\s*(capacity|customers|energy sold back)\b/.exec(measure) ?? [];
	const column = { capacity: "capacity_mw", customers: "customers", "energy sold back": "energy_sold_back_mwh" }[word];
	if (column === undefined) return undefined;
	const storageOrFuel =
		special === "storage" ? { technology: "Storage", filed: `${technology.filed}: storage` } : technology;
	const program = special === "virtual" ? "virtual_net_metering" : "net_metering";
	return { ...storageOrFuel, program, measure: column as Measure };
}

/** This form has only capacity, so a column below a measure belongs to a different form. */
function distributedMeaning({ group, measure }: Block): Meaning | undefined {
	const technology = measure === "" ? technologies.get(group) : undefined;
	return technology && { ...technology, program: "non_net_metering", measure: "capacity_mw" };
}

const hasMeaning = (meaning: (block: Block) => Meaning | undefined) => (block: Block) =>
	totals.includes(block.group) || meaning(block) !== undefined;

/** The check throws `StructureError` if a block belongs to another form, or if two blocks have the same meaning, because one would hide the other. */
const createCheck = (meaning: (block: Block) => Meaning | undefined, isForeign: (block: Block) => boolean) => {
	return (blocks: readonly Block[]): void => {
		const seen = new Set<string>();
		for (const block of blocks) {
			const name = [block.group, block.measure].filter(Boolean).join(": ");
			if (isForeign(block)) throw new StructureError(`the column block "${name}" belongs to another form`);
			const { filed, program, measure } = meaning(block) ?? {};
			const meaningKey = [filed, program, measure].join(" ");
			if (filed !== undefined && seen.has(meaningKey))
				throw new StructureError(`the column block "${name}" has the same meaning as an earlier block`);
			seen.add(meaningKey);
		}
	};
};

export const netMetered = {
	hasMeaning: hasMeaning(netMeteringMeaning),
	check: createCheck(netMeteringMeaning, () => false),
	/** Only this form has columns for customers and energy sold back. */
	matches: ({ blocks }: BlockTable) => blocks.some(({ measure }) => /^customers\b|^energy sold back\b/.test(measure)),
	records: (filing: Filing, { blocks }: BlockTable, row: Cell[]) =>
		readSectors("EIA861-NM", filing, blocks, netMeteringMeaning, row),
};

export const notNetMetered = {
	hasMeaning: hasMeaning(distributedMeaning),
	check: createCheck(distributedMeaning, ({ measure }) => measure !== ""),
	matches: ({ named, blocks }: BlockTable) =>
		named.has("number of generators") && blocks.every(({ measure }) => measure === ""),
	records: (filing: Filing, { blocks }: BlockTable, row: Cell[]) => [
		...utilityRecord(filing),
		...readSectors("EIA861-DG", filing, blocks, distributedMeaning, row),
	],
};

function readSectors(
	prefix: string,
	filing: Filing,
	blocks: readonly Block[],
	meaningOf: (block: Block) => Meaning | undefined,
	row: Cell[],
): DgRecord[] {
	const records = new Map<string, DgRecord>();
	for (const block of blocks) {
		const meaning = meaningOf(block);
		if (meaning === undefined) continue;
		for (const [name, column] of block.columns) {
			const value = number(row[column]);
			const sector = sectors.get(name);
			// A period means "nothing reported", and a zero means none: neither becomes a record.
			if (sector === undefined || value === null || value === 0) continue;
			const { program, technology, filed, measure } = meaning;
			const id = [
				idOf(prefix, filing),
				toSlug(filed),
				...(program === "virtual_net_metering" ? ["virtual"] : []),
				sector,
			].join("-");
			const known = records.get(id) ?? {
				...newRecord(id, filing),
				program,
				technology,
				technology_filed: filed,
				sector,
			};
			known[measure] = measure === "customers" ? Math.round(value) : value;
			records.set(id, known);
		}
	}
	return [...records.values()];
}

/** Reads the number of generators, the backup MW and the MW owned by the utility, which are filed only for all technologies together. */
function utilityRecord(filing: Filing): DgRecord[] {
	const generators = number(filing.cell("number of generators"));
	const backup = number(filing.cell("capacity back-up only"));
	const owned = number(filing.cell("capacity utility owned"));
	if (!generators && !backup && !owned) return [];
	const id = `${idOf("EIA861-DG", filing)}-all`;
	return [
		{
			...newRecord(id, filing),
			program: "non_net_metering",
			technology: null,
			technology_filed: null,
			generators: generators === null ? null : Math.round(generators),
			backup_mw: backup,
			utility_owned_mw: owned,
		},
	];
}

const newRecord = (id: string, filing: Filing) => ({
	...blankRecord,
	id,
	kind: "utility_total" as const,
	state: filing.state,
	utility_id: filing.utilityId,
	utility: filing.utility,
	balancing_authority: filing.balancingAuthority,
	capacity_basis: filing.basis,
	adjustment: filing.utilityId === adjustmentId,
	year: filing.year,
});

const idOf = (prefix: string, { year, state, utilityId, balancingAuthority }: Filing): string =>
	[prefix, year, state, utilityId, balancingAuthority ?? "none"].join("-");

const toSlug = (words: string): string => words.toLowerCase().replace(/[^a-z0-9]+/g, "-");
