/** The layout of each operator's list: headers, banners, words and numbers of its newest real files. */
import { caiso } from "./caiso.ts";
import { caisoCluster15 } from "./caiso-cluster-15.ts";
import { ercot } from "./ercot.ts";
import { isone } from "./isone.ts";
import type { Layout } from "./layout.ts";
import { miso } from "./miso.ts";
import { nyiso } from "./nyiso.ts";
import { pjmCycle, pjmSerial } from "./pjm.ts";
import { spp, sppSummary } from "./spp.ts";
import { bpa, duke, soco, tva } from "./utilities.ts";

const ofFeeds = {
	"pjm-cycle": pjmCycle,
	"pjm-serial": pjmSerial,
	miso,
	ercot,
	caiso,
	"caiso-cluster-15": caisoCluster15,
	nyiso,
	spp,
	"spp-summary": sppSummary,
	isone,
	"duke-active": duke,
	"soco-active": soco,
	"tva-active": tva,
	"bpa-line-load": bpa,
} satisfies Record<string, Layout>;

export type QueueFeed = keyof typeof ofFeeds;
export const layouts: Record<QueueFeed, Layout> = ofFeeds;
