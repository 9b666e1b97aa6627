/** Every feed of market prices. */
import type { Dataset } from "../../../sources/dataset.ts";
import { isoneDayAhead, isoneRealTime } from "./isone.ts";
import { nyisoDayAhead, nyisoRealTime } from "./nyiso.ts";
import { nyisoOasisCommitment, nyisoOasisDayAhead } from "./nyiso-oasis.ts";
import { pjmDayAhead } from "./pjm.ts";
import type { HourPrice } from "./price.ts";

export const marketDatasets: readonly Dataset<HourPrice>[] = [
	isoneDayAhead,
	isoneRealTime,
	nyisoDayAhead,
	nyisoRealTime,
	nyisoOasisDayAhead,
	nyisoOasisCommitment,
	pjmDayAhead,
];
