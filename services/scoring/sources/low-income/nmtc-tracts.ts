/**
 * The CDFI Fund's low-income communities by tract (26 USC 45D(e): poverty of 20 % or median family income of 80 %), five-year ACS 2016-2020, as
 * compact JSON: tract -> [state, county, poverty, income, unemployment, by poverty 0/1, by income 0/1, metropolitan class]. Pure.
 */

import { isCounty } from "#libs/counties/codes.ts";
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { DroppedRows, type LowIncomeTract, type LowIncomeTracts, type ReferenceFile } from "../reference.ts";
import { checkTracts, countiesOf } from "./plausible.ts";

const listName = "CDFI Fund NMTC low-income communities (ACS 2016-2020)";
/** The edition of 1 September 2023. */
const validFrom = "2023-09-01";

/** Throws `StructureError` for another file, and for one that is not whole. */
export function readNmtcTracts({ name, bytes }: ReferenceFile): LowIncomeTracts {
	const entries = Object.entries(parse(decodeText(bytes, name), name));
	const tracts: LowIncomeTract[] = [];
	const others: string[] = [];
	const dropped = new DroppedRows();
	for (const [at, [tract, row]] of entries.entries()) {
		const qualifies = verdictOf(row);
		if (!/^\d{11}$/.test(tract) || !isCounty(tract.slice(0, 5))) dropped.add("no census tract", tract);
		else if (qualifies === undefined) dropped.add("says neither that it qualifies nor that it does not", tract);
		else if (qualifies) tracts.push({ tract, share: 1, file_row: at + 1, filed: filedOf(row) });
		else others.push(tract);
	}
	checkTracts(name, tracts.length);
	return {
		source: "low-income",
		name: listName,
		validFrom,
		tracts,
		// By poverty and by income.
		layout: { sheet: null, columns: flags.map((at) => ({ column: String(at + 1), header: null })) },
		// The published file lists the qualifying tracts alone: of how many they are is then not known.
		counties: countiesOf(tracts, others.length === 0 ? null : [...tracts.map(({ tract }) => tract), ...others]),
		rowsIn: entries.length,
		dropped: dropped.list(),
	};
}

function parse(source: string, name: string): object {
	let body: unknown;
	try {
		body = JSON.parse(source);
	} catch {
		throw new StructureError(`${name}: is not well-formed JSON: the file is cut or another kind of answer`);
	}
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw new StructureError(`${name}: is no JSON object of tracts`);
	return body;
}

/** Places of a tract's two flags. */
const flags = [5, 6];
const filedOf = (row: unknown): string[] => flags.map((at) => String((row as unknown[])[at]));

/** Undefined where the row is not of the layout. */
function verdictOf(row: unknown): boolean | undefined {
	if (!Array.isArray(row) || row.length < 7) return undefined;
	const said: unknown[] = flags.map((at) => row[at]);
	return said.every((flag) => flag === 0 || flag === 1) ? said.includes(1) : undefined;
}
