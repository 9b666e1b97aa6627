/** A region's totals beside those of another publisher, as they are stored and answered. */
import type { ReconciliationSource, Region } from "#libs/contract/vocabulary.ts";
import type { Summed } from "./sum-lines.ts";

export interface Reconciled extends Summed {
	source: ReconciliationSource;
	region: Region;
	title: string;
	/** Day of what they publish. */
	edition: string;
	/** Day of our state: the edition's, else that of the first list after it or of the last before it. */
	compared_on: string;
	/** SHA-256 of the file; null where several files make the edition. */
	sha256: string | null;
	notes: readonly string[];
}
