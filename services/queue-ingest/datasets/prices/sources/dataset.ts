/** Shared properties of the feeds of market prices. Each is of one operator and one market; its days and hours are in Eastern time. */
import { type MarketName, monthlyPriced, type Region } from "#libs/contract/vocabulary.ts";
import type { Dataset } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { type LocalClock, localClock } from "./local-clock.ts";
import type { HourPrice } from "./price.ts";
import { writePrices } from "./write-prices.ts";

interface MarketFeed extends Omit<Dataset<HourPrice>, "database" | "region" | "parse" | "write"> {
	iso: Region;
	market: MarketName;
	parse(file: RawFile, clock: LocalClock): ReturnType<Dataset<HourPrice>["parse"]>;
}

export const easternTime = "America/New_York";

export function marketDataset({ iso, market, parse, ...feed }: MarketFeed): Dataset<HourPrice> {
	const finestInterval = monthlyPriced.includes(iso) ? "month" : "hour";
	const prices = { iso, market, timezone: easternTime, finestInterval } as const;
	return {
		...{ ...feed, database: "market", region: iso },
		parse: (file) => parse(file, localClock(easternTime)),
		write: (tx, file, provenance) => writePrices(tx, { ...prices, ...provenance }, file),
	};
}
