/** Payments without money: stand-ins for the facilitator, the chains and Stripe in a process of their own, for `npm run up -- --demo-payments`. */
import { join } from "node:path";
import type { Children } from "./children.ts";
import { host, port, root, secret } from "./data-dir.ts";
import { withoutRails } from "./services.ts";
import { listens, supervise } from "./supervise.ts";

/** This private key may be public, because its dollars have no value. */
export const demoWallet = "0xde00000000000000000000000000000000000000000000000000000000000001";

/** Starts the stand-ins. @returns the gateway's settings for them */
export async function startDemoPayments(
	children: Children,
	dataDir: string,
	gatewayPort: number,
	say: (line: string) => void,
): Promise<Record<string, string>> {
	const ports = {
		facilitator: await port(dataDir, "demo-facilitator"),
		tempo: await port(dataDir, "demo-tempo"),
		stripe: await port(dataDir, "demo-stripe"),
	};
	const webhookUrl = `http://${host}:${gatewayPort}/webhooks/stripe`;
	const name = "demo-payments";
	const command = {
		name,
		program: process.execPath,
		args: [
			join(root, "test", "support", "payments", "demo.ts"),
			JSON.stringify({ ...ports, webhookUrl, wallet: demoWallet }),
		],
		env: { ...process.env, ...withoutRails(process.env) },
	};
	await supervise(children, {
		name,
		async start() {
			const child = children.launch(command);
			await children.ready(child, () => listens(ports.stripe));
			return { child };
		},
		say,
	});
	return {
		// Real rails that the environment sets must neither be mixed with stand-ins nor be shown to them.
		...withoutRails(process.env),
		KEYLESS: "pay",
		X402_PAY_TO: "0x00000000000000000000000000000000000000e1",
		X402_NETWORK: "eip155:84532",
		X402_FACILITATOR_URL: `http://${host}:${ports.facilitator}`,
		X402_RPC_URL: `http://${host}:${ports.facilitator}/rpc`,
		MPP_RECIPIENT: "0x00000000000000000000000000000000000000e2",
		MPP_RPC_URL: `http://${host}:${ports.tempo}`,
		// Wallets on this machine know the service by this name, whatever PUBLIC_URL is.
		MPP_REALM: host,
		MPP_SECRET_KEY: `${secret(dataDir, "demo mpp")}${secret(dataDir, "demo mpp, second half")}`,
		STRIPE_SECRET_KEY: "sk_test_demo",
		STRIPE_WEBHOOK_SECRET: "whsec_demo",
		STRIPE_NETWORK_ID: "profile_demo",
		STRIPE_API_URL: `http://${host}:${ports.stripe}`,
	};
}
