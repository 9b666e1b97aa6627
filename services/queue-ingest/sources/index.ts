/** Every list this service takes in. A new operator is a line here and a file beside it. */
import type { Region } from "#libs/contract/vocabulary.ts";
import { caiso } from "./caiso.ts";
import { caisoCluster15 } from "./caiso-cluster-15.ts";
import { eia860 } from "./eia860/index.ts";
import { ercot } from "./ercot.ts";
import { isone } from "./isone.ts";
import { lbnl } from "./lbnl.ts";
import { miso } from "./miso.ts";
import { nyiso } from "./nyiso.ts";
import { pjmCycle } from "./pjm-cycle.ts";
import { pjmSerial } from "./pjm-serial.ts";
import type { Feed, Source } from "./source.ts";
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

/** Everything whose age is watched. */
export const pipelines: readonly { feed: string; maxAgeHours: number }[] = [...sources, eia860];

export function sourceOf(feed: Feed): Source {
	const found = sources.find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no source for ${feed}`);
	return found;
}

export const sourcesOf = (region: Region): Source[] => sources.filter((source) => source.region === region);
