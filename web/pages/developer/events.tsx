import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, type ReadState, useRead } from "../../lib/api/use-read.tsx";
import { Head, Scroll } from "../../lib/elements/table.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { count, filed, power, words } from "../../lib/text/format.ts";
import type { Capital } from "./record.tsx";

type Deals = Reply<"listMaEvents">["data"];

const longestDays = 365;
const atOnce = 20;

/** What is said of it and what it filed: headlines, current reports, changes of hands, offerings. */
export function Events({ id, name, capital }: { id: number; name: string; capital: ReadState<Capital> }) {
	const news = useRead(`news ${id}`, (signal) =>
		read("listDeveloperEvents", `/developers/${id}/events`, { days: longestDays, per_page: atOnce }, signal),
	);
	const filings = useRead(`filings ${name}`, (signal) =>
		read("listMaterialEvents", "/material-events", { developer: name, per_page: atOnce }, signal),
	);
	const deals = useRead(`deals ${name}`, (signal) =>
		read("listMaEvents", "/ma-events", { developer: name, per_page: atOnce }, signal),
	);
	const reports = filings.data?.data.filter((one) => one.developer_canonical === name) ?? [];
	const hands = deals.data?.data.filter((one) => one.buyer_canonical === name || one.seller_canonical === name) ?? [];
	const headlines = news.data?.data ?? [];
	const raises = capital.data?.raises ?? [];
	const isRead = news.data !== undefined && filings.data !== undefined && deals.data !== undefined;
	return (
		<section aria-labelledby="events">
			<h2 id="events">Events</h2>
			<Failed state={news} />
			<Failed state={filings} />
			<Failed state={deals} />
			{headlines.length > 0 && (
				<>
					<h3>
						News of the last {longestDays} days ({count(news.data?.meta.total ?? 0)})
					</h3>
					<NewsList news={headlines} />
				</>
			)}
			{reports.length > 0 && (
				<>
					<h3>Current reports</h3>
					<FilingList filings={reports} />
				</>
			)}
			{raises.length > 0 && (
				<>
					<h3>Raises</h3>
					<RaiseList raises={raises} />
				</>
			)}
			{hands.length > 0 && (
				<>
					<h3>Changes of hands</h3>
					<Hands deals={hands} />
				</>
			)}
			{isRead && headlines.length + reports.length + raises.length + hands.length === 0 && (
				<p>Nothing that is loaded names it.</p>
			)}
		</section>
	);
}

const Hands = ({ deals }: { deals: Deals }) => (
	<Scroll label="Changes of hands">
		<table>
			<Head columns={["Day", "What", "From", "To", "Confidence"]} />
			<tbody>
				{deals.map((deal) => (
					<tr
						key={`${deal.effective_date} ${deal.queue_id} ${deal.plant_id_eia} ${deal.generator_id} ${deal.buyer}`}
						data-deal={deal.asset_name ?? ""}
					>
						<th scope="row" class="day">
							{deal.effective_date}
						</th>
						<td>
							{filed(deal.asset_name ?? deal.queue_id ?? words(deal.asset_class), 80)}
							{deal.capacity_mw !== null && <span class="soft"> {power(deal.capacity_mw)}</span>}
						</td>
						<td>{filed(deal.seller_canonical ?? deal.seller ?? "–", 60)}</td>
						<td>{filed(deal.buyer_canonical ?? deal.buyer ?? "–", 60)}</td>
						<td title={deal.reason}>{words(deal.confidence)}</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
