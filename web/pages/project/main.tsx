/** One interconnection request: a summary, its score, its peers and neighbours, its history, its tax credit, and its owners. */
import "../../style/base.css";
import "./project.css";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, setHeading } from "../../lib/elements/page.tsx";
import { dayOfAddress, dayQuery, PastDayNotice } from "../../lib/requests/project-link.tsx";
import { safeText } from "../../lib/text/format.ts";
import { History } from "./history.tsx";
import { Neighbours } from "./neighbours.tsx";
import { Owners } from "./ownership.tsx";
import { Peers } from "./peers.tsx";
import { NoScore, Score } from "./score.tsx";
import { ScoreHistory } from "./score-history.tsx";
import { Signals } from "./signals.tsx";
import { Summary } from "./summary.tsx";
import { TaxCredit } from "./tax-credit.tsx";

/** As encoded in the address. */
const id = /^\/projects\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
const as_of = dayOfAddress();

function Project() {
	const state = useOperation("getProject", `/projects/${id}`, { as_of }, 60_000);
	const project = state.data;
	if (project === undefined) return <Failed state={state} />;
	const name = project.name === null ? "Interconnection request" : safeText(project.name);
	// As in the page that the gateway sends, so that the heading does not change its height.
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
					<Neighbours project={project} />
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

mount(<Project />);
