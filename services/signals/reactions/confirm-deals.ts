/** A headline that names both sides of a deal makes it certain, whichever comes first: the headline or the list. */
import type { Reaction } from "#libs/bus/react.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import { weighAgain } from "./judge-transfers.ts";
import { lockMaEvents } from "./ma-events.ts";

export const confirmDeals: Reaction<typeof newsRecorded> = {
	service: "signals",
	name: "confirm-deals",
	event: newsRecorded,
	async handler(tx, events) {
		const headlines = events.filter(({ event_type, developers }) => event_type === "ma" && developers.length > 1);
		if (headlines.length === 0) return;
		await lockMaEvents(tx);
		const names = headlines.flatMap(({ developers }) => developers.map((developer) => developer.developer_canonical));
		await weighAgain(tx, [...new Set(names)]);
	},
};
