/** The reader of each source of reference lists. */
import { isZip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { readIrsList } from "./energy-communities/irs-list.ts";
import { readPlacesList } from "./energy-communities/places-list.ts";
import { isCountySheet, isTractSheet, readCoalTracts, readTreasuryCounties } from "./energy-communities/treasury.ts";
import { readInterconnectionCosts } from "./ic-costs.ts";
import { readLbnlCosts } from "./ic-costs-lbnl.ts";
import { readNmtcTracts, readProgramTracts } from "./low-income.ts";
import type { EnergyCommunities, Reference, ReferenceFile, ReferenceSource } from "./reference.ts";

/** `today` is `YYYY-MM-DD`. Throws `StructureError` for what is no whole file of the source. */
export async function readReference(source: ReferenceSource, file: ReferenceFile, today: string): Promise<Reference> {
	if (source === "energy-communities") return readEnergyCommunities(file);
	if (source === "ic-costs")
		return isZip(file.bytes) ? readLbnlCosts(file, today) : readInterconnectionCosts(file, today);
	return isZip(file.bytes) ? readProgramTracts(file, today) : readNmtcTracts(file);
}

// MERGED services/scoring/references/sources/index.ts: Lists of energy communities (26 USC 45(b)(11)) in the layouts that are known.
/** Throws `StructureError` for what is no whole list. */
export async function readEnergyCommunities(file: ReferenceFile): Promise<EnergyCommunities> {
	if (isZip(file.bytes) || /\.xlsx$/i.test(file.name)) return readTreasury(file);
	if (/\.csv$/i.test(file.name)) return readPlacesList(file);
	if (/\.tsv$/i.test(file.name)) return readIrsList(file);
	const start = JSON.stringify(peek(file.bytes, 40).trim());
	throw new StructureError(
		`${file.name}: no list of energy communities (.xlsx, .tsv or .csv), it begins with ${start}`,
	);
}

async function readTreasury({ name, bytes }: ReferenceFile): Promise<EnergyCommunities> {
	const sheets = await readWorkbook(bytes);
	const tracts = sheets.find(isTractSheet);
	if (tracts !== undefined) return readCoalTracts(name, tracts);
	const counties = sheets.find(isCountySheet);
	if (counties !== undefined) return readTreasuryCounties(name, counties);
	throw new StructureError(`${name}: no sheet has the header of Treasury's county list or of its coal-closure tracts`);
}
