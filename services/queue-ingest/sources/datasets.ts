/** The related datasets. A new one is a line here and a file in its subject's folder. */
import { datacenterDatasets } from "./datacenters/index.ts";
import type { Dataset } from "./dataset.ts";
import { eia861Distributed, eia861NetMetering } from "./dg/eia861.ts";
import { pucoOhio } from "./dg/ohio.ts";
import { marketDatasets } from "./market/index.ts";

export const datasets: readonly Dataset[] = [
	eia861NetMetering,
	eia861Distributed,
	pucoOhio,
	...marketDatasets,
	...datacenterDatasets,
];

export function datasetOf(feed: string): Dataset {
	const found = datasets.find((dataset) => dataset.feed === feed);
	if (found === undefined) throw new Error(`no dataset ${feed}`);
	return found;
}
