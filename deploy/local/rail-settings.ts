/** The settings of ways to pay that are set around `npm run up`: for its gateway, unless stand-ins take the payments. */

const ofRails = /^(X402|MPP|STRIPE)_/;

/** Every one of them emptied: a service takes an empty setting for an absent one. */
export function withoutRails(env: NodeJS.ProcessEnv): Record<string, string> {
	const names = Object.keys(env).filter((name) => ofRails.test(name));
	return Object.fromEntries(names.map((name) => [name, ""]));
}
