/** The page of an interconnection request: summary, score, peers and neighbors, history, tax credit, and owners. */
import "../../style/base.css";
import "./project.css";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section, setHeading } from "../../lib/elements/page.tsx";
import { dayOfAddress, dayQuery, PastDayNotice } from "../../lib/requests/project-link.tsx";
import { FilingList, NewsList, RaiseList } from "../../lib/requests/signals.tsx";
import { safeText } from "../../lib/text/format.ts";
import { History, ScoreHistory } from "./history.tsx";
import { Neighbors } from "./neighbours.tsx";
import { Owners } from "./ownership.tsx";
import { Peers } from "./peers.tsx";
import { NoScore, Score } from "./score.tsx";
import { Summary } from "./summary.tsx";
import { TaxCredit } from "./tax-credit.tsx";

/** The request's ID, as encoded in the URL. */
const id = /^\/projects\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
const as_of = dayOfAddress();

function Project() {
	const state = useOperation("getProject", `/projects/${id}`, { as_of }, 60_000);
	const project = state.data;
	if (project === undefined) return <Failed state={state} />;
	const name = project.name === null ? "Interconnection request" : safeText(project.name);
	// The heading is the same as in the page that the gateway sends, so that its height does not change.
	setHeading(`${name} (${project.region} ${safeText(project.queue_id)})`, `${name} (${project.id})`);
	return (
		<>
			<Failed state={state} />
			{as_of !== undefined && <PastDayNotice day={as_of} />}
			<Summary project={project} as_of={as_of} />
			{project.score_basis === "unpublished" ? <NoScore day={as_of} /> : <Score id={project.id} as_of={as_of} />}
			{as_of === undefined && (
				<>
					<Peers project={project} />
					<Neighbors project={project} />
				</>
			)}
			<ScoreHistory id={project.id} />
			<History project={project} />
			<TaxCredit project={project} as_of={as_of} />
			{as_of === undefined && (
				<>
					<Owners project={project} />
					<Signals project={project} />
				</>
			)}
			<p>
				Is something wrong?{" "}
				<a href={`/dispute?about=developer_link&project_id=${encodeURIComponent(project.id)}${dayQuery(as_of, "&")}`}>
					Dispute it
				</a>
				.
			</p>
			<p class="soft">
				As JSON: <code>curl '{`${location.origin}/projects/${id}${dayQuery(as_of)}`}'</code>
			</p>
		</>
	);
}

const days = 365;
const per_page = 10;

/** News and reports about the request's developer, and offerings of the company that filed it. */
function Signals({ project }: { project: Reply<"getProject"> }) {
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
				<p>
					No {developer_id !== null && `news in the last ${days} days, and no `}filing on record names its developer or
					its company.
				</p>
			)}
		</Section>
	);
}

mount(<Project />);
