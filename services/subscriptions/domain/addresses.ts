/** Decides which addresses deliveries may be sent to: public ones, by https. Pure. */
import ipaddr from "ipaddr.js";
import type { WebhookFormat } from "#libs/contract/vocabulary.ts";

export interface AddressPolicy {
	allowPrivate: boolean;
	ports: readonly number[];
}

/** Addresses in public ranges that reach a cloud's internal services: this one reaches Azure's. */
const cloudAddresses = new Set(["168.63.129.16"]);

/** Whether the internet routes to an IP address. An IPv6 address that embeds an IPv4 one (mapped, NAT64, 6to4, Teredo) is not public. */
export function isPublic(address: string): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.parse(address);
	if (parsed.range() !== "unicast" || cloudAddresses.has(parsed.toString())) return false;
	// Only 2000::/3 of IPv6 is routed.
	return parsed.kind() === "ipv4" || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}

interface Target {
	url: URL;
	host: string;
	isIpAddress: boolean;
}

/**
 * Parses and checks the address of a webhook. `URL` normalizes every spelling of an IPv4 address (decimal, octal, hexadecimal, short).
 * @returns the target, or what is wrong with the address, as a message about the field `url`
 */
export function parseTarget(text: string, policy: AddressPolicy): Target | string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) return "must be an address, https://...";
	if (url.protocol !== "https:" && !(policy.allowPrivate && url.protocol === "http:"))
		return "must begin with https://";
	if (url.username !== "" || url.password !== "") return "must not contain a user or password";
	if (url.hash !== "") return "must not have a fragment (#)";
	const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
	if (!policy.allowPrivate && !policy.ports.includes(port)) return `must use port ${policy.ports.join(" or ")}`;
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const isIpAddress = ipaddr.isValid(host);
	if (isIpAddress && !policy.allowPrivate && !isPublic(host)) return `is not a public address (${host})`;
	return { url, host, isIpAddress };
}

/**
 * Hosts of incoming webhooks, which echo no challenge. They need none, because only members of a channel know its URL. Teams has hosts for
 * workflows (current and earlier) and for connectors.
 */
const chatHosts = {
	slack: /^hooks\.slack(-gov)?\.com$/,
	teams: /^[\w.-]+\.(environment\.api\.powerplatform\.com|logic\.azure\.com|webhook\.office\.com)$/,
};

/** @returns what is wrong with a host for a format; undefined if nothing is */
export function findHostFault(
	host: string,
	format: WebhookFormat,
	{ allowPrivate }: AddressPolicy,
): string | undefined {
	if (allowPrivate || (format !== "slack" && format !== "teams") || chatHosts[format].test(host)) return undefined;
	return format === "slack"
		? "must be the address of a Slack incoming webhook, https://hooks.slack.com/..."
		: "must be the address of a Teams workflow, https://....environment.api.powerplatform.com/...";
}

/**
 * Checks the IP addresses of a host name, which must all be public. @returns what is wrong; undefined if nothing is. The message contains no
 * address, because internal DNS may have resolved the name.
 */
export function findAddressFault(
	host: string,
	addresses: readonly string[],
	{ allowPrivate }: AddressPolicy,
): string | undefined {
	if (addresses.length === 0) return `${host} has no address`;
	return allowPrivate || addresses.every(isPublic) ? undefined : `${host} has an address that is not public`;
}
