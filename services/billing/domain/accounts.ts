/** What the operations and the command line share of the table `accounts`: opening one, its keys, and its plan. */
import { conflict, notFound } from "#libs/contract/errors.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import {
	addKey,
	type Issued,
	type LiveKey,
	type NewKey,
	readIssued,
	readLiveKeys,
	revokeLiveKeys,
	tellOfAccount,
	tellOfKeys,
} from "./keys.ts";

/** As an account's address is stored and looked up: one account however it is written. */
export const addressOf = (email: string): string => email.trim().toLowerCase();

export interface Opening {
	email: string;
	name: string | null;
	plan: PlanName;
	key: NewKey;
	/** By whoever wrote the address at /register, not by the operator. */
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
 * A key for the account of this address, which has none that anybody uses: all were revoked or have expired, or it was asked for a
 * moment ago and never used, because its answer was lost. Its counters go on. Asked again for the same key, it answers what it answered.
 *
 * Nobody checks that an address is the caller's, so this must give a stranger nothing. Where the owner lost nothing but a key that was
 * never used, there is nothing to take: an empty account, which the stranger could have had by being first. Where every key has
 * ended, the stranger gets a free key on counters that are used up in part, sees how many calls of which kind were made this month,
 * and cuts nobody off, for nobody has a key. More than that is handed to nobody: what a customer pays for, and limits that
 * were agreed, come back by the operator alone, who is also told by `upgrade` where a key came from. @throws 409
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
	/** Every other key that works is revoked. */
	revokeOthers: boolean;
	at: Date;
}

/** A further key of an account: for one who has lost the last. @throws 404 without an account, 409 for one key too many */
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
	await tellOfKeys(tx, [id], at);
	return await readIssued(tx, id);
}

/** Of an account, by its address or by one of its keys. */
export type AccountOf = { email: string } | { keyId: number };

export interface Account {
	id: number;
	email: string;
	plan: PlanName;
	/** On the plan Free, with no limits of its own. */
	is_free: boolean;
}

/** Changes of one account come one after the other. Not a key lock: rows that only refer to it do not wait. @throws 404 */
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
	/** Instead of the plan's; null: the plan's own. */
	monthlyQueries: number | null;
	perMinute: number | null;
}

export interface PlanChange {
	monthly_queries: number | null;
	per_minute: number | null;
	/** Keys that gateways were told of. */
	keys: number;
}

/** Puts an account on a plan, and tells of its keys. What was agreed with it before is over. @throws 404 */
export async function changePlan(tx: Transaction, whose: AccountOf, to: Agreement, at: Date): Promise<PlanChange> {
	const account = await lockAccount(tx, whose);
	const [limits] = await tx<Omit<PlanChange, "keys">[]>`
		update accounts a set plan = p.name, monthly_queries = ${to.monthlyQueries}, per_minute = ${to.perMinute}
		from plans p where a.id = ${account.id} and p.name = ${to.plan}
		returning coalesce(a.monthly_queries, p.monthly_queries) as monthly_queries, coalesce(a.per_minute, p.per_minute) as per_minute`;
	if (limits === undefined) throw conflict(`The plan ${to.plan} is not in the table of plans.`);
	return { ...limits, keys: await tellOfAccount(tx, account.id, at) };
}
