import type { Reply } from "#libs/contract/index.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { formatter, safeText } from "../../lib/text/format.ts";

type Price = Reply<"listMarketPrices">["data"][number];

const dollars = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * A chart of the prices of one or two hubs over the days or months on this page. Hourly prices are not charted, because the prices of a day would be
 * drawn on top of each other.
 */
export function PriceChart({ prices }: { prices: readonly Price[] }) {
	const hubs = [
		...Map.groupBy(prices, ({ iso, hub, market }) => `${iso} ${safeText(hub)}, ${market.replace("_", " ")}`),
	];
	const days = prices.filter(({ interval }) => interval !== "hour");
	if (hubs.length > 2 || days.length < prices.length || prices.length < 3)
		return <p class="soft">Choose a hub, and days or months, to see its prices as a chart.</p>;
	const series = hubs.map(([name, own]) => ({
		name,
		points: own
			.map(({ local_date: day, lmp_usd_mwh: value }) => ({ day, value, note: `${day}: $${dollars(value)}/MWh` }))
			.toSorted((one, other) => one.day.localeCompare(other.day)),
	}));
	const title = `${series.map(({ name }) => name).join("; ")} (USD/MWh)`;
	const rows = series.flatMap(({ name, points }) => points.map((point) => ({ name, ...point })));
	return (
		<Lines
			{...{ title, series, max: 0, text: dollars }}
			label={`${title}, ${rows[0]?.day} to ${rows.at(-1)?.day}`}
			table={
				<Table
					rows={rows}
					columns={[
						["Day", ({ day }) => day, "day"],
						["Hub", ({ name }) => name],
						["Price (USD/MWh)", ({ value }) => dollars(value), "number"],
					]}
				/>
			}
		/>
	);
}
