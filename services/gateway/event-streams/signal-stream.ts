import type { z } from "zod";
import type { Bus } from "#libs/bus/connect.ts";
import { type Events, events, type Params } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { publishedChannel } from "./published.ts";

type Payload<N extends keyof Events> = z.output<Events[N]["payload"]>;
type Signal =
	| Payload<"newsRecorded">
	| Payload<"filingRecorded">
	| Payload<"raiseRecorded">
	| Payload<"ownershipChanged">;

const { newsRecorded, filingRecorded, raiseRecorded, ownershipChanged } = events;

export const signalStream = (bus: Bus, log: Logger) =>
	publishedChannel<Params<"streamEvents">, Signal>(
		bus,
		log,
		[newsRecorded, filingRecorded, raiseRecorded, ownershipChanged],
		({ event, event_type, developer, min_confidence }) => {
			const part = developer?.toLowerCase();
			return (name, signal) =>
				(event === undefined || (event as readonly string[]).includes(name)) &&
				(event_type === undefined || ("event_type" in signal && event_type.includes(signal.event_type))) &&
				(part === undefined || developersOf(signal).some((each) => each?.toLowerCase().includes(part))) &&
				(min_confidence === undefined || isConfident(signal, min_confidence, part));
		},
	);

function developersOf(signal: Signal): (string | null)[] {
	if ("developers" in signal) return signal.developers.map(({ developer_canonical }) => developer_canonical);
	if ("seller" in signal) return [signal.seller_canonical, signal.buyer_canonical];
	return [signal.developer_canonical];
}

/** A headline, by the developer that is asked for where one is. */
const isConfident = (signal: Signal, least: number, part = ""): boolean =>
	"developers" in signal &&
	signal.developers.some(
		({ developer_canonical, match_confidence }) =>
			match_confidence >= least && developer_canonical.toLowerCase().includes(part),
	);
