/** Reports on the command line how the files of a year of form EIA-860 were loaded. */

import type { Recorded } from "../../history/events/record-ownership.ts";
import type { FileReport, LoadOutcome } from "../../sources/file-report.ts";
import type { Schedule } from "../sources/schedule.ts";

export interface YearReport extends Recorded {
	year: number;
	outcome: LoadOutcome;
	loaded: Schedule[];
	missing: Schedule[];
	early_release: Schedule[];
	/** Requests that are linked to a plant now, in the states of this year's plants. */
	linked_projects: number;
	reason: string | null;
}

export interface Eia860Report {
	source: "eia860";
	outcome: LoadOutcome;
	years: YearReport[];
	files: FileReport[];
	reason: string | null;
}
