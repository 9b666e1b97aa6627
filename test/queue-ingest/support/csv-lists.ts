/** ISO-NE's list and editions of Berkeley Lab's list, from lines of CSV. */
import type { IncomingFile } from "../../../services/queue-ingest/sources/archive.ts";

const csvFile = (name: string, header: string, lines: readonly string[]): IncomingFile => ({
	name,
	path: name,
	bytes: Buffer.from(`${[header, ...lines].join("\n")}\n`),
});

const isoneHeader =
	"Position,Requested,Type,Alternative Name,Unit,Fuel Type,Net MW,County,State,Op Date,W/ D Date,Project Status";

export const isoneFile = (lines: readonly string[]): IncomingFile => csvFile("raw_isone.csv", isoneHeader, lines);

/** The entity of each line is its region, too. */
export const lbnlFile = (year: number, columns: string, lines: readonly string[]): IncomingFile =>
	csvFile(`queued_up_thru${year}.csv`, `q_id,q_status,entity,region,state,type_clean,${columns}`, lines);
