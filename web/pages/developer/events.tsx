import { type ReadState, useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { count, labelOf, power, safeText } from "../../lib/text/format.ts";
import type { Capital } from "./record.tsx";

const longestDays = 365;
const per_page = 20;

/** News about it, its filings and offerings, and assets that it bought or sold. */
export function Events({ id, name, capital }: { id: number; name: string; capital: ReadState<Capital | undefined> }) {
	const news = useOperation("listDeveloperEvents", `/developers/${id}/events`, { days: longestDays, per_page });
	const filings = useOperation("listMaterialEvents", "/material-events", { developer: name, per_page });
	const deals = useOperation("listMaEvents", "/ma-events", { developer: name, per_page });
	const headlines = news.data?.data ?? [];
	const reports = filings.data?.data.filter((one) => one.developer_canonical === name) ?? [];
	const raises = capital.data?.raises ?? [];
	const own = deals.data?.data.filter((one) => one.buyer_canonical === name || one.seller_canonical === name) ?? [];
	const isRead = news.data !== undefined && filings.data !== undefined && deals.data !== undefined;
	return (
		<Section id="events" title="Events" reads={[news, filings, deals]}>
			<NewsList
				title={`News of the last ${longestDays} days (${count(news.data?.meta.total ?? 0)})`}
				rows={headlines}
			/>
			<FilingList title="Current reports" rows={reports} />
			<RaiseList title="Raises" rows={raises} />
			{own.length > 0 && (
				<>
					<h3>Changes of hands</h3>
					<Table
						scrolls="Changes of hands"
						rows={own}
						attributes={({ asset_name }) => ({ "data-deal": asset_name ?? "" })}
						columns={[
							["Day", ({ effective_date }) => effective_date, "day"],
							[
								"What",
								({ asset_name, queue_id, asset_class, capacity_mw }) => (
									<Noted
										text={safeText(asset_name ?? queue_id ?? labelOf(asset_class), 80)}
										note={capacity_mw !== null && power(capacity_mw)}
									/>
								),
							],
							["From", ({ seller_canonical, seller }) => safeText(seller_canonical ?? seller ?? "–", 60)],
							["To", ({ buyer_canonical, buyer }) => safeText(buyer_canonical ?? buyer ?? "–", 60)],
							["Confidence", ({ confidence, reason }) => <span title={reason}>{labelOf(confidence)}</span>],
						]}
					/>
				</>
			)}
			{isRead && headlines.length + reports.length + raises.length + own.length === 0 && (
				<p>No loaded source names it.</p>
			)}
		</Section>
	);
}
