/** A visitor's key and its account: usage, plan, webhooks, watchlists and prepaid credits. */
import "../../style/base.css";
import "./account.css";
import { type StoredKey, useKey } from "../../lib/api/key.ts";
import { readAs } from "../../lib/api/request.ts";
import { Failed, useOperation, useRead } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { listsPath } from "../../lib/requests/watched.ts";
import { count } from "../../lib/text/format.ts";
import { useList } from "./account-item.tsx";
import { Address, MailedLink } from "./address.tsx";
import { Credits } from "./credits.tsx";
import { EnterKey, KeyInUse, Register } from "./key.tsx";
import { Usage } from "./usage.tsx";
import { Watchlists } from "./watchlists.tsx";
import { Webhooks } from "./webhooks.tsx";

function Account() {
	const stored = useKey();
	return (
		<>
			<MailedLink />
			{stored === undefined ? (
				<div class="columns">
					<Register />
					<EnterKey />
				</div>
			) : (
				<KeyAccount key={stored.key} stored={stored} />
			)}
			<Credits />
			<Plans />
		</>
	);
}

function KeyAccount({ stored }: { stored: StoredKey }) {
	const { key } = stored;
	const state = useRead("usage", (signal) => readAs("getUsage", "/usage", key, signal), 60_000);
	const watchlists = useList("listWatchlists", listsPath, key, ({ data }) =>
		data.some(({ requests }) => requests === null),
	);
	return (
		<>
			<KeyInUse {...stored} apiKey={key} />
			<Failed state={state} />
			{state.data && (
				<>
					<Usage usage={state.data} />
					<Webhooks apiKey={key} watchlists={watchlists.state.data?.data ?? []} />
					<Watchlists apiKey={key} list={watchlists} />
					<Address apiKey={key} usage={state.data} />
				</>
			)}
		</>
	);
}

function Plans() {
	const state = useOperation("listPlans", "/plans");
	return (
		<Section id="plans" title="Plans" reads={[state]}>
			<Table
				scrolls="Queries and rate of each plan"
				rows={state.data?.plans ?? []}
				columns={[
					["Plan", ({ name, description }) => <Noted text={name} note={description} />, "wrapped"],
					[
						"Queries a month",
						({ monthly_queries }) => (monthly_queries === null ? "Unlimited" : count(monthly_queries)),
						"number",
					],
					["Requests a minute", ({ per_minute }) => (per_minute === null ? "As agreed" : count(per_minute)), "number"],
				]}
			/>
			<Upgrade />
		</Section>
	);
}

/** Explains how to change the plan: the operator changes it, and finds the account by its key. */
function Upgrade() {
	const contact = useOperation("getManifest", "/").data?.contact;
	return (
		<p class="soft">
			To change your plan, write to{" "}
			{contact == null ? "the operator of this service" : <a href={`mailto:${contact}`}>{contact}</a>} with the start
			and end of your key, as they are shown above. Your keys and data stay.
		</p>
	);
}

mount(<Account />);
