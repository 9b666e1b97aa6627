/** The related datasets. A new one is a line here and a file in its subject's folder. */

import { eia860mPlanned } from "../plants/sources/eia860m-planned.ts";
import { epmNew, epmPlanned } from "../plants/sources/electric-power-monthly.ts";
import { eia861Distributed, eia861NetMetering } from "../queues/distributed/sources/eia861.ts";
import { pucoOhio } from "../queues/distributed/sources/ohio.ts";
import type { Dataset } from "../sources/dataset.ts";
import { datacenterDatasets } from "./datacenters/sources/index.ts";
import { marketDatasets } from "./prices/sources/index.ts";

export const datasets: readonly Dataset[] = [
	eia861NetMetering,
	eia861Distributed,
	pucoOhio,
	...marketDatasets,
	...datacenterDatasets,
	epmPlanned,
	epmNew,
	eia860mPlanned,
];

export function datasetOf(feed: string): Dataset {
	const found = datasets.find((dataset) => dataset.feed === feed);
	if (found === undefined) throw new Error(`no dataset ${feed}`);
	return found;
}
