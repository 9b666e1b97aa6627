/** The text that `npm run up` prints once everything is there: commands that work as they are printed, in any common shell. */
import { demoWallet } from "./demo-payments.ts";

/** `settings`: the gateway's. `isDemo`: payments are taken by stand-ins. `shown`: where metrics and traces are, a line each. */
export function welcome(url: string, settings: NodeJS.ProcessEnv, isDemo: boolean, shown: string[] = []): string {
	const tries = isDemo ? tryToPay(url, settings) : tryToRead(url, (settings.KEYLESS || "open") === "open");
	const observed = shown.length === 0 ? "" : `${shown.join("\n")}\n\n`;
	return `
Running at ${url} (documentation: ${url}/docs).${tries}

${observed}Ctrl-C stops everything.`;
}

function tryToRead(url: string, isOpen: boolean): string {
	const paths = ["changes?per_page=5", "projects?state=TX&per_page=5", "developers?per_page=5"];
	const more = ["events?per_page=5", "investable?per_page=5"];
	if (!isOpen)
		return ` What has a price is for keys and payments. Try:

  ${getKey(url)}
${[...paths, ...more].map((path) => `  curl '${url}/${path}' -H "x-api-key: $KEY"`).join("\n")}
  curl '${url}/stats'`;
	return ` Try:

${[...paths, ...more, "stats"].map((path) => `  curl '${url}/${path}'`).join("\n")}`;
}

/** An address has one account: each time it is another one. */
const getKey = (url: string): string =>
	`KEY=$(curl -s '${url}/register' -d "email=you-$(date +%s)@example.org" | grep -oE 'pk_[A-Za-z0-9]{20,}'); echo $KEY`;

function tryToPay(
	url: string,
	{ MPP_RPC_URL, STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_NETWORK_ID }: NodeJS.ProcessEnv,
) {
	const priced = `'${url}/projects?per_page=1'`;
	const mint = `${STRIPE_API_URL}/v1/test_helpers/shared_payment/granted_tokens`;
	const limits = "-d 'usage_limits[currency]=usd' -d 'usage_limits[max_amount]=500'";
	return `

DEMO PAYMENTS: the chains, the facilitator and Stripe are stand-ins on this machine, and no money is moved. Try, in this folder:

Without a key and without a payment: 402, with every way to pay.
  curl -i ${priced}

Paid from a wallet that everybody knows, by MPP and by x402. Any client of theirs can use its key.
  export MPPX_PRIVATE_KEY=${demoWallet} MPPX_RPC_URL=${MPP_RPC_URL}
  npx mppx ${priced} -i --protocol mpp
  npx mppx ${priced} -i --protocol x402

With a free key nothing is paid (a form for it: ${url}/register).
  ${getKey(url)}
  curl ${priced} -H "x-api-key: $KEY"

With credits, bought on a page: the second command is its button, and the page is there for browsers too.
  SALE=$(curl -s '${url}/credits/checkout' -H 'content-type: application/json' -d '{"amount_usd": 5}'); echo "$SALE"
  curl -i -X POST "$(echo "$SALE" | grep -o 'http[^"]*')"
  CREDITS=$(echo "$SALE" | grep -oE 'cr_[A-Za-z0-9]{20,}')
  curl ${priced} -H "authorization: Bearer $CREDITS"
  curl '${url}/credits' -H "authorization: Bearer $CREDITS"

With credits, bought by an agent: the first command does it all, the second gets a shared payment token alone.
  MPPX_STRIPE_SECRET_KEY=${STRIPE_SECRET_KEY} MPPX_STRIPE_SPT_URL=${mint} npx mppx '${url}/credits' -J '{"amount_usd": 5}' -M paymentMethod=pm_card_visa
  curl '${mint}' -u ${STRIPE_SECRET_KEY}: ${limits} -d 'seller_details[network_id]=${STRIPE_NETWORK_ID}'`;
}
