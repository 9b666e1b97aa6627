/** The reader of each source of reference lists. */
import { isZip } from "#libs/files/archive.ts";
import { readEnergyCommunities } from "./energy-communities/index.ts";
import { readInterconnectionCosts } from "./ic-costs.ts";
import { readLbnlCosts } from "./ic-costs-lbnl.ts";
import { readNmtcTracts } from "./low-income/nmtc-tracts.ts";
import { readProgramTracts } from "./low-income/program-tracts.ts";
import type { Reference, ReferenceFile, ReferenceSource } from "./reference.ts";

/** `today` is `YYYY-MM-DD`. Throws `StructureError` for what is no whole file of the source. */
export async function readReference(source: ReferenceSource, file: ReferenceFile, today: string): Promise<Reference> {
	if (source === "energy-communities") return readEnergyCommunities(file);
	if (source === "ic-costs")
		return isZip(file.bytes) ? readLbnlCosts(file, today) : readInterconnectionCosts(file, today);
	return isZip(file.bytes) ? readProgramTracts(file, today) : readNmtcTracts(file);
}
