/** Every list this service takes in. A new operator is a line here and a file beside it. */

import type { Feed, ListGroup, Source } from "../domain/source.ts";
import { caiso } from "./caiso.ts";
import { caisoCluster15 } from "./caiso-cluster-15.ts";
import { datacenterDatasets } from "./datacenters/index.ts";
import type { Dataset } from "./dataset.ts";
import { eia861Distributed, eia861NetMetering } from "./dg/eia861.ts";
import { nyserda } from "./dg/nyserda.ts";
import { pucoOhio } from "./dg/ohio.ts";
import { eia860 } from "./eia860/index.ts";
import { ercot } from "./ercot.ts";
import { isone } from "./isone.ts";
import { lbnl } from "./lbnl.ts";
import { marketDatasets } from "./market/index.ts";
import { miso } from "./miso.ts";
import { nyiso } from "./nyiso.ts";
import { pjmCycle } from "./pjm-cycle.ts";
import { pjmSerial } from "./pjm-serial.ts";
import { spp } from "./spp.ts";

export const sources: readonly Source[] = [
	pjmCycle,
	pjmSerial,
	miso,
	ercot,
	caiso,
	caisoCluster15,
	nyiso,
	spp,
	isone,
	lbnl,
];

/** Installations of programmes for distributed generation, kept like requests; taken in by hand, with the related datasets. */
export const programmes: readonly Source[] = [nyserda];

/** The related datasets. A new one is a line here and a file beside it. */
export const datasets: readonly Dataset[] = [
	eia861NetMetering,
	eia861Distributed,
	pucoOhio,
	...marketDatasets,
	...datacenterDatasets,
];

/** Everything whose age is watched. */
export const pipelines: readonly { feed: string; maxAgeHours: number }[] = [
	...sources,
	eia860,
	...programmes,
	...datasets,
];

export function sourceOf(feed: Feed): Source {
	const found = [...sources, ...programmes].find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no source for ${feed}`);
	return found;
}

export function datasetOf(feed: string): Dataset {
	const found = datasets.find((dataset) => dataset.feed === feed);
	if (found === undefined) throw new Error(`no dataset ${feed}`);
	return found;
}

/** The lists that a group's numbers are in. */
export const sourcesOf = (group: ListGroup): Source[] =>
	group === "DG" ? [...programmes] : sources.filter((source) => source.region === group);
