/** The package has a copy of it: it needs nothing else of the contract. */
export { nearestWords } from "../../../contract/did-you-mean.ts";
