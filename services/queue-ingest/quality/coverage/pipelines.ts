/** Everything whose age is watched. */
import { datasets } from "../../datasets/index.ts";
import { eia860 } from "../../plants/sources/index.ts";
import { programmes, sources } from "../../queues/sources/index.ts";

export const pipelines: readonly { feed: string; maxAgeHours: number }[] = [
	...sources,
	eia860,
	...programmes,
	...datasets,
];
