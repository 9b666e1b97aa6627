/** Accounts, as the operations and the command line use them: opening one, issuing its keys, changing its plan. */
import { conflict, notFound } from "#libs/contract/errors.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import {
	addKey,
	type Issued,
	type LiveKey,
	type NewKey,
	publishAccountKeys,
	publishKeys,
	readIssued,
	readLiveKeys,
	revokeLiveKeys,
} from "./keys.ts";

/** Normalizes an e-mail address, so that spellings that differ in case find one account. */
export const addressOf = (email: string): string => email.trim().toLowerCase();

export interface Opening {
	email: string;
	name: string | null;
	plan: PlanName;
	key: NewKey;
	/** Opened by a client at /register, not by the operator. */
	registered: boolean;
	at: Date;
}

/** An account with its first key; undefined when the address has an account. */
export async function openAccount(tx: Transaction, opening: Opening): Promise<Issued | undefined> {
	const { email, name, plan, key, registered, at } = opening;
	const [account] = await tx<{ id: number }[]>`
		insert into accounts (email, name, plan, created_at) values (lower(${addressOf(email)}), ${name}, ${plan}, ${at})
		on conflict (email) do nothing returning id`;
	return account && giveKey(tx, account.id, key, registered, at);
}

/**
 * Issues a key for an account that has no key in use: all its keys were revoked or have expired, or the only one was issued a few
 * minutes ago and never used, because the response was lost. Usage counters continue. A repeated request for the same key gets the same reply.
 *
 * E-mail addresses are not verified, so a stranger who sends another person's address must gain nothing. If the owner only lost a key
 * that was never used, the account is empty: the stranger could have registered it first. If every key has ended, the stranger gets a
 * free key with the month's remaining quota and sees how many calls of which kind were made this month; no client is cut off, because
 * no key worked. A paid plan or agreed limits are restored by the operator only, and `upgrade` shows the operator where each key came
 * from. @throws 409
 */
export async function registerAgain(
	tx: Transaction,
	{ email, key, at }: Pick<Opening, "email" | "key" | "at">,
): Promise<Issued> {
	const account = await lockAccount(tx, { email });
	const [same] = await tx<{ id: number }[]>`
		select id from keys where account_id = ${account.id} and sha256 = ${key.sha256} and revoked_at is null`;
	if (same !== undefined) return await readIssued(tx, same.id);
	const live = await readLiveKeys(tx, account.id, at);
	if (live.length > 0 && !(account.is_free && live.every(({ idle }) => idle)))
		throw conflict(
			"This e-mail address has a key already: with it, POST /keys/rotate replaces it; if it is lost, write to the operator.",
		);
	if (!account.is_free)
		throw conflict("For this e-mail address keys come from the operator alone: write to the operator.");
	await revokeLiveKeys(tx, live, at);
	return await giveKey(tx, account.id, key, true, at);
}

export interface FurtherKey {
	email: string;
	key: NewKey;
	/** Revoke every other live key. */
	revokeOthers: boolean;
	at: Date;
}

/** Issues a further key of an account, for a customer who has lost the last one. @throws 404 without an account, 409 for one key too many */
export async function giveAnotherKey(
	tx: Transaction,
	{ email, key, revokeOthers, at }: FurtherKey,
): Promise<Issued & { revoked: LiveKey[] }> {
	const { id } = await lockAccount(tx, { email });
	const revoked = revokeOthers ? [...(await readLiveKeys(tx, id, at))] : [];
	await revokeLiveKeys(tx, revoked, at);
	return { ...(await giveKey(tx, id, key, false, at)), revoked };
}

async function giveKey(
	tx: Transaction,
	accountId: number,
	key: NewKey,
	registered: boolean,
	at: Date,
): Promise<Issued> {
	const id = await addKey(tx, { accountId, ...key, registered, at });
	await publishKeys(tx, [id], at);
	return await readIssued(tx, id);
}

/** Names an account by its address or by one of its keys. */
export type AccountOf = { email: string } | { keyId: number };

export interface Account {
	id: number;
	email: string;
	plan: PlanName;
	/** On the plan Free, with no limits of its own. */
	is_free: boolean;
}

/** Locks an account, so that its changes are serialized. `for no key update`: inserts that only reference the account do not wait. @throws 404 */
export async function lockAccount(tx: Transaction, whose: AccountOf): Promise<Account> {
	const [account] = await tx<Account[]>`
		select id, email, plan, plan = 'Free' and monthly_queries is null and per_minute is null as is_free from accounts
		where ${"email" in whose ? tx`email = lower(${addressOf(whose.email)})` : tx`id = (select account_id from keys where id = ${whose.keyId})`}
		for no key update`;
	if (account !== undefined) return account;
	throw notFound("email" in whose ? "This address has no account." : "There is no such key.");
}

export interface Agreement {
	plan: PlanName;
	/** Overrides the plan's limit; null: the plan's own. */
	monthlyQueries: number | null;
	perMinute: number | null;
}

export interface PlanChange {
	monthly_queries: number | null;
	per_minute: number | null;
	/** Number of keys whose change was published to the gateways. */
	keys: number;
}

/** Puts an account on a plan and publishes its keys. Replaces the limits that were agreed before. @throws 404 */
export async function changePlan(tx: Transaction, whose: AccountOf, to: Agreement, at: Date): Promise<PlanChange> {
	const account = await lockAccount(tx, whose);
	const [limits] = await tx<Omit<PlanChange, "keys">[]>`
		update accounts a set plan = p.name, monthly_queries = ${to.monthlyQueries}, per_minute = ${to.perMinute}
		from plans p where a.id = ${account.id} and p.name = ${to.plan}
		returning coalesce(a.monthly_queries, p.monthly_queries) as monthly_queries, coalesce(a.per_minute, p.per_minute) as per_minute`;
	if (limits === undefined) throw conflict(`The plan ${to.plan} is not in the table of plans.`);
	return { ...limits, keys: await publishAccountKeys(tx, account.id, at) };
}
