/** Shared properties of the feeds of market prices: one operator, one market, one time zone, one table. */
import { type MarketName, monthlyPriced, type Region } from "#libs/contract/vocabulary.ts";
import type { Dataset } from "../../../sources/dataset.ts";
import type { Publication } from "../../../sources/source.ts";
import { type LocalClock, localClock } from "./local-clock.ts";
import type { HourPrice } from "./price.ts";
import { writePrices } from "./write-prices.ts";

interface MarketFeed {
	feed: string;
	title: string;
	publication: Publication;
	iso: Region;
	market: MarketName;
	/** Time zone of the operator's days and hours: MISO's is EST all year ("Etc/GMT+5"), everybody else's has daylight-saving time. */
	timezone: string;
	maxAgeHours: number;
	maxBytes: number;
	recognises: Dataset<HourPrice>["recognises"];
	parse(file: Parameters<Dataset["parse"]>[0], clock: LocalClock): ReturnType<Dataset<HourPrice>["parse"]>;
}

export const easternTime = "America/New_York";

export function marketDataset(spec: MarketFeed): Dataset<HourPrice> {
	const { feed, title, publication, iso, market, timezone, maxAgeHours, maxBytes, recognises } = spec;
	const finestInterval = monthlyPriced.includes(iso) ? "month" : "hour";
	return {
		...{ feed, database: "market", region: iso, title, publication, maxAgeHours, maxBytes, recognises },
		parse: (file) => spec.parse(file, localClock(timezone)),
		write: (tx, file, { snapshotId }) =>
			writePrices(tx, { feed, iso, market, timezone, finestInterval, snapshotId }, file),
	};
}
