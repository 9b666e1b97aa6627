/** Lists the related datasets. A new dataset needs a line here and a file in the folder of its subject. */
import { eia860mCancelled, eia860mPlanned } from "../plants/sources/eia860m-planned.ts";
import { epmNew, epmPlanned } from "../plants/sources/electric-power-monthly.ts";
import { eia861Distributed, eia861NetMetering } from "../queues/distributed/sources/eia861.ts";
import { pucoOhio } from "../queues/distributed/sources/ohio.ts";
import { ercotReports } from "../queues/sources/ercot/reports.ts";
import type { Dataset } from "../sources/dataset.ts";
import { facilityEnergy } from "./datacenters/sources/facility-energy.ts";
import { facilityGuide } from "./datacenters/sources/facility-guide.ts";
import { facilityMap } from "./datacenters/sources/facility-map.ts";
import { proposals } from "./datacenters/sources/proposals.ts";
import { isoneDayAhead, isoneRealTime } from "./prices/sources/isone.ts";
import { nyisoDayAhead, nyisoOasisCommitment, nyisoOasisDayAhead, nyisoRealTime } from "./prices/sources/nyiso.ts";
import { pjmDayAhead } from "./prices/sources/pjm.ts";
import type { HourPrice } from "./prices/sources/price.ts";

export const marketDatasets: readonly Dataset<HourPrice>[] = [
	isoneDayAhead,
	isoneRealTime,
	nyisoDayAhead,
	nyisoRealTime,
	nyisoOasisDayAhead,
	nyisoOasisCommitment,
	pjmDayAhead,
];

export const datacenterDatasets: readonly Dataset[] = [facilityMap, facilityEnergy, facilityGuide, proposals];

export const datasets: readonly Dataset[] = [
	eia861NetMetering,
	eia861Distributed,
	pucoOhio,
	...marketDatasets,
	...datacenterDatasets,
	epmPlanned,
	epmNew,
	eia860mPlanned,
	eia860mCancelled,
	ercotReports,
];

export function datasetOf(feed: string): Dataset {
	const found = datasets.find((dataset) => dataset.feed === feed);
	if (found === undefined) throw new Error(`no dataset ${feed}`);
	return found;
}
