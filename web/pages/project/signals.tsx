import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { safeText } from "../../lib/text/format.ts";

const days = 365;
const per_page = 10;

/** News and reports of its developer, and offerings of the company under which it is filed. */
export function Signals({ project }: { project: Reply<"getProject"> }) {
	const { developer_id, developer_canonical, developer } = project;
	const events = developer_id === null ? undefined : `/developers/${developer_id}/events`;
	const news = useOperation("listDeveloperEvents", events, { days, per_page });
	const filings = useOperation("listMaterialEvents", developer_canonical === null ? undefined : "/material-events", {
		developer: developer_canonical ?? undefined,
		per_page,
	});
	const raises = useOperation("listCapitalRaises", developer === null ? undefined : "/capital-raises", {
		issuer: developer ?? undefined,
		per_page,
	});
	if (developer === null && developer_canonical === null) return null;
	const reports = filings.data?.data.filter((one) => one.developer_canonical === developer_canonical) ?? [];
	const offerings = raises.data?.data ?? [];
	const headlines = news.data?.data ?? [];
	const isRead = news.data !== undefined || developer_id === null;
	return (
		<Section id="signals" title="News and filings" reads={[news, filings, raises]}>
			<NewsList title={`News that names ${safeText(developer_canonical ?? "", 80)}`} rows={headlines} />
			<FilingList title="Current reports of its developer" rows={reports} />
			<RaiseList title={`Offerings of issuers called ${safeText(developer ?? "", 80)}`} rows={offerings} />
			{isRead && headlines.length + reports.length + offerings.length === 0 && (
				<p>Nothing that is loaded names its developer in the last {days} days, or is filed by its company.</p>
			)}
		</Section>
	);
}
