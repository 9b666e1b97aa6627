/** Every list this service takes in. A new operator is a line here and a file beside it. */

import { nyserda } from "../../distributed/sources/nyserda.ts";
import type { Feed, ListGroup, Source } from "../../sources/source.ts";
import { caiso } from "./caiso.ts";
import { caisoCluster15 } from "./caiso-cluster-15.ts";
import { ercot } from "./ercot.ts";
import { isone } from "./isone.ts";
import { lbnl } from "./lbnl.ts";
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

export function sourceOf(feed: Feed): Source {
	const found = [...sources, ...programmes].find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no source for ${feed}`);
	return found;
}

/** The lists that a group's numbers are in. */
export const sourcesOf = (group: ListGroup): Source[] =>
	group === "DG" ? [...programmes] : sources.filter((source) => source.region === group);
