/** A visitor's key and its account: usage, plan, webhooks, watchlists and prepaid credits. */
import "../../style/base.css";
import "./account.css";
import type { Reply } from "#libs/contract/index.ts";
import { type StoredKey, useKey } from "../../lib/api/key.ts";
import { readAs } from "../../lib/api/request.ts";
import { Failed, useOperation, useRead } from "../../lib/api/use-read.tsx";
import { Figures, mount, Section } from "../../lib/elements/page.tsx";
import { Metered, Noted, Table } from "../../lib/elements/table.tsx";
import { listsPath } from "../../lib/requests/watched.ts";
import { count, safeText } from "../../lib/text/format.ts";
import { useList } from "./account-item.tsx";
import { Address, MailedLink } from "./address.tsx";
import { Credits } from "./credits.tsx";
import { EnterKey, KeyInUse, Register } from "./key.tsx";
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

const resetFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
const limit = (most: number | null): string => (most === null ? "unlimited" : count(most));

/** The account's usage this month, by day and by operation, and the remaining queries. */
function Usage({ usage }: { usage: Reply<"getUsage"> }) {
	const { plan, month, used, monthly_queries, remaining, resets_at, per_minute, last_24_hours, notices } = usage;
	const most = Math.max(1, ...usage.by_day.map(({ requests }) => requests));
	return (
		<Section id="usage" title="Plan and usage">
			{notices?.map(({ webhook_id, url, reason }) => (
				<p class="failure" key={webhook_id}>
					The webhook to {safeText(url, 100)} is disabled: {safeText(reason)}
				</p>
			))}
			<Figures
				figures={[
					["Plan", plan],
					[
						`Queries in ${month}`,
						<>
							{count(used)} <small>of {limit(monthly_queries)}</small>
						</>,
						"used",
					],
					["Left", limit(remaining), "remaining"],
					["Requests a minute", limit(per_minute)],
					["Requests in 24 hours", count(last_24_hours), "last_24_hours"],
				]}
			/>
			{monthly_queries !== null && <meter min={0} max={monthly_queries} value={used} aria-hidden="true" />}
			<p class="soft">
				The month starts again on {resetFormat.format(new Date(resets_at))} UTC. Free calls do not count.
			</p>
			{usage.by_day.length === 0 ? (
				<p>No request of this month is in the ledger yet; it follows by a few seconds.</p>
			) : (
				<div class="columns">
					<Table
						caption="By day (UTC)"
						rows={usage.by_day.toReversed()}
						attributes={({ day }) => ({ "data-day": day })}
						columns={[
							["Day", ({ day, requests }) => <Metered text={day} value={requests} max={most} />, "day"],
							["Requests", ({ requests }) => count(requests), "number"],
							["Counted", ({ counted }) => count(counted), "number"],
						]}
					/>
					<Table
						caption="By operation"
						rows={usage.by_operation}
						attributes={({ operation }) => ({ "data-operation": operation })}
						columns={[
							["Operation", ({ operation }) => operation],
							["Requests", ({ requests }) => count(requests), "number"],
							["Counted", ({ counted }) => count(counted), "number"],
						]}
					/>
				</div>
			)}
		</Section>
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
