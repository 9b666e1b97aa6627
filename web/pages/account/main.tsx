/** A visitor's key and what belongs to its account: usage, plan, webhooks, watchlists, credits. */
import "../../style/base.css";
import "./account.css";
import { render } from "preact";
import { useKey } from "../../lib/api/key.ts";
import { read, readAs } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { count } from "../../lib/text/format.ts";
import { Credits } from "./credits.tsx";
import { useList } from "./items.tsx";
import { EnterKey, KeyInUse, Register } from "./key.tsx";
import { Usage } from "./usage.tsx";
import { Watchlists } from "./watchlists.tsx";
import { Webhooks } from "./webhooks.tsx";

const root = document.getElementById("page");
if (root) render(<Account />, root);

const everyMs = 60_000;

/** All of it is asked of the interface with the visitor's key, which no other address gets. */
export function Account() {
	const kept = useKey();
	return (
		<>
			{kept === undefined ? (
				<div class="columns">
					<Register />
					<EnterKey />
				</div>
			) : (
				<Holder key={kept.key} apiKey={kept.key} isForGood={kept.isForGood} />
			)}
			<Credits />
			<Plans />
		</>
	);
}

interface HolderProps {
	apiKey: string;
	isForGood: boolean;
}

function Holder({ apiKey, isForGood }: HolderProps) {
	const state = useRead("usage", (signal) => readAs("getUsage", "/usage", apiKey, signal), everyMs);
	const watchlists = useList("listWatchlists", "/watchlists?per_page=200", apiKey);
	return (
		<>
			<KeyInUse apiKey={apiKey} isForGood={isForGood} />
			<Failed state={state} />
			{state.data && (
				<>
					<Usage usage={state.data} />
					<Webhooks apiKey={apiKey} watchlists={watchlists.state.data?.data ?? []} />
					<Watchlists apiKey={apiKey} list={watchlists} />
				</>
			)}
		</>
	);
}

/** What each plan allows. */
export function Plans() {
	const state = useRead("plans", (signal) => read("listPlans", "/plans", {}, signal));
	return (
		<section aria-labelledby="plans">
			<h2 id="plans">Plans</h2>
			<Failed state={state} />
			<table>
				<Head columns={["Plan", number("Queries a month"), number("Requests a minute")]} />
				<tbody>
					{state.data?.plans.map(({ name, description, monthly_queries, per_minute }) => (
						<tr key={name}>
							<th scope="row">
								{name} <span class="soft">{description}</span>
							</th>
							<td class="number">{monthly_queries === null ? "Unlimited" : count(monthly_queries)}</td>
							<td class="number">{per_minute === null ? "As agreed" : count(per_minute)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
