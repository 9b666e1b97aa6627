/**
 * Stand-ins for the facilitator, the chains and Stripe, for a system that is tried out: no money is moved. The argument is JSON
 * with the ports {facilitator, tempo, stripe}, where paid checkouts are reported (webhookUrl), and the wallet that can pay.
 */
import { privateKeyToAccount } from "viem/accounts";
import { startFacilitator } from "./facilitator.ts";
import { startStripe } from "./stripe.ts";
import { startTempo } from "./tempo.ts";
import { createToken } from "./token.ts";

/** A million dollars that are none (micro-USD). */
const fortune = 1_000_000_000_000n;

const given = JSON.parse(process.argv[2] ?? "{}") as {
	facilitator: number;
	tempo: number;
	stripe: number;
	webhookUrl: string;
	/** Private key of the wallet that holds the demonstration's dollars. */
	wallet: `0x${string}`;
};
const token = createToken({ network: "eip155:84532" });
token.mint(privateKeyToAccount(given.wallet).address, fortune);
await startFacilitator({ token, port: given.facilitator });
// The main network's number, by which the command line of mppx knows it; it is as little of it as everything here.
await startTempo({ port: given.tempo, everybodyHolds: fortune });
const stripe = await startStripe({
	port: given.stripe,
	secretKey: "sk_test_demo",
	webhookSecret: "whsec_demo",
	networkId: "profile_demo",
});
stripe.checkouts.webhookUrl = given.webhookUrl;
console.log("payments by stand-ins: no money is moved");
