/**
 * Version 1 with other weights and another posture, both fitted on what was known before the requests that judged them.
 */
import type { ScoreTables } from "../tables.ts";
import { version1 } from "./1.ts";

export const version2: ScoreTables = {
	...version1,
	version: 2,
	title: "Weights and posture fitted on the requests of 2020 by what had become of them in 2024",
	weights: {
		milestone_progress: 0.6,
		iso_posture: 0.15,
		tax_credit_value: 0.05,
		deal_cleanliness: 0.1,
		developer_tier: 0.1,
	},
	posture: { ERCOT: 90, CAISO: 66, "ISO-NE": 40, SPP: 39, NYISO: 34, PJM: 32, MISO: 32 },
	// ISO-NE's requests of 2020 are a record: 189 of 263 had finished.
	postureWithoutRecord: [],
};
