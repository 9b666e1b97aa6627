/** One interconnection request: its facts, score and history, its tax credit, its owners, and its neighbours. */
import "../../style/base.css";
import "./project.css";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, setHeading } from "../../lib/elements/page.tsx";
import { dayOfAddress, dayQuery, PastDayNotice } from "../../lib/requests/project-link.tsx";
import { safeText } from "../../lib/text/format.ts";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { Neighbours } from "./neighbours.tsx";
import { Owners } from "./ownership.tsx";
import { NoScore, Score } from "./score.tsx";
import { ScoreHistory } from "./score-history.tsx";
import { Signals } from "./signals.tsx";
import { TaxCredit } from "./tax-credit.tsx";

/** As encoded in the address. */
const id = /^\/projects\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
const as_of = dayOfAddress();

function Project() {
	const state = useOperation("getProject", `/projects/${id}`, { as_of }, 60_000);
	const project = state.data;
	if (project === undefined) return <Failed state={state} />;
	const name = safeText(project.name ?? project.id);
	setHeading(name, `${name} (${project.id})`);
	return (
		<>
			<Failed state={state} />
			{as_of !== undefined && <PastDayNotice day={as_of} />}
			<Facts project={project} as_of={as_of} />
			{project.score_basis === "unpublished" ? <NoScore day={as_of} /> : <Score id={project.id} as_of={as_of} />}
			<ScoreHistory id={project.id} />
			<History project={project} />
			<TaxCredit project={project} as_of={as_of} />
			{as_of === undefined && (
				<>
					<Owners project={project} />
					<Neighbours project={project} />
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
