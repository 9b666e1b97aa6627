import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { filed } from "../../lib/text/format.ts";

type Detail = Reply<"getProject">;

const longestDays = 365;
const atOnce = 10;

/** What names its developer, and what the company that it is filed under has filed. */
export function Signals({ project: { developer_id, developer_canonical, developer } }: { project: Detail }) {
	const news = useRead(`news ${developer_id}`, async (signal) =>
		developer_id === null
			? undefined
			: read(
					"listDeveloperEvents",
					`/developers/${developer_id}/events`,
					{ days: longestDays, per_page: atOnce },
					signal,
				),
	);
	const filings = useRead(`filings ${developer_canonical}`, async (signal) =>
		developer_canonical === null
			? undefined
			: read("listMaterialEvents", "/material-events", { developer: developer_canonical, per_page: atOnce }, signal),
	);
	const raises = useRead(`raises ${developer}`, async (signal) =>
		developer === null
			? undefined
			: read("listCapitalRaises", "/capital-raises", { issuer: developer, per_page: atOnce }, signal),
	);
	if (developer === null && developer_canonical === null) return null;
	const reports = filings.data?.data.filter((one) => one.developer_canonical === developer_canonical) ?? [];
	const offerings = raises.data?.data ?? [];
	const headlines = news.data?.data ?? [];
	const isRead = news.data !== undefined || developer_id === null;
	return (
		<section aria-labelledby="signals">
			<h2 id="signals">News and filings</h2>
			<Failed state={news} />
			<Failed state={filings} />
			<Failed state={raises} />
			{headlines.length > 0 && developer_canonical !== null && (
				<>
					<h3>News that names {filed(developer_canonical, 80)}</h3>
					<NewsList news={headlines} />
				</>
			)}
			{reports.length > 0 && (
				<>
					<h3>Current reports of its developer</h3>
					<FilingList filings={reports} />
				</>
			)}
			{offerings.length > 0 && developer !== null && (
				<>
					<h3>Offerings of issuers called {filed(developer, 80)}</h3>
					<RaiseList raises={offerings} />
				</>
			)}
			{isRead && headlines.length + reports.length + offerings.length === 0 && (
				<p>Nothing that is loaded names its developer in the last {longestDays} days, or is filed by its company.</p>
			)}
		</section>
	);
}
