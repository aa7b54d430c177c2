// Counts the posts of webhooks whose signatures are right: node verify_webhooks.mjs SECRET < posts.json
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.argv[2]);
const isRight = ({ body, headers }) => {
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    return false;
  }
};
console.log(JSON.parse(readFileSync(0, "utf8")).filter(isRight).length);
