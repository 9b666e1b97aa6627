/** Everything whose age is watched. */
import { datasets } from "./datasets.ts";
import { eia860 } from "./eia860/index.ts";
import { programmes, sources } from "./index.ts";

export const pipelines: readonly { feed: string; maxAgeHours: number }[] = [
	...sources,
	eia860,
	...programmes,
	...datasets,
];
