/** Chooses the reader for a reference file. */
import { isZip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { readIrsList } from "./energy-communities/irs-list.ts";
import { readPlacesList } from "./energy-communities/places-list.ts";
import { readCoalTable, readTreasury } from "./energy-communities/treasury.ts";
import { readInterconnectionCosts } from "./ic-costs.ts";
import { readLbnlCosts } from "./ic-costs-lbnl.ts";
import { readNmtcTracts, readProgramTracts } from "./low-income.ts";
import type { EnergyCommunities, ReferenceFile, ReferenceList, ReferenceSource } from "./reference.ts";

/** `today` is `YYYY-MM-DD`. @throws StructureError if the file is incomplete or not a list of the source */
export async function readReference(
	source: ReferenceSource,
	file: ReferenceFile,
	today: string,
): Promise<ReferenceList> {
	if (source === "energy-communities") return readEnergyCommunities(file);
	if (source === "ic-costs")
		return isZip(file.bytes) ? readLbnlCosts(file, today) : readInterconnectionCosts(file, today);
	return isZip(file.bytes) ? readProgramTracts(file, today) : readNmtcTracts(file);
}

/** Reads a list of energy communities (26 USC 45(b)(11)) in any known layout. @throws StructureError */
export async function readEnergyCommunities(file: ReferenceFile): Promise<EnergyCommunities> {
	if (isZip(file.bytes) || /\.xlsx$/i.test(file.name)) return readTreasury(file);
	if (/\.csv$/i.test(file.name))
		return peek(file.bytes, 20).startsWith("tract_geoid_2020") ? readCoalTable(file) : readPlacesList(file);
	if (/\.tsv$/i.test(file.name)) return readIrsList(file);
	const start = JSON.stringify(peek(file.bytes, 40).trim());
	throw new StructureError(
		`${file.name}: is not a list of energy communities (.xlsx, .tsv or .csv); it begins with ${start}`,
	);
}
