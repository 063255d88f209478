package shop;

import com.pulumi.Pulumi;
import com.pulumi.clouddb.ReadReplicaSet;
import com.pulumi.clouddb.ReadReplicaSetArgs;
import com.pulumi.clouddb.Service;
import com.pulumi.clouddb.ServiceArgs;
import com.pulumi.clouddb.Vpc;
import com.pulumi.clouddb.VpcArgs;
import com.pulumi.resources.CustomResourceOptions;
import java.util.Optional;

/** A database with an HA replica and read replicas, in its own network. */
public class App {
    private static final String REGION = "us-east-1";

    public static void main(String[] args) {
        Pulumi.run(context -> {
            var isProtected = context.config("clouddb").getBoolean("deletionProtection").orElse(true);

            var network = new Vpc("network", VpcArgs.builder()
                .cidr("10.0.0.0/20")
                .regionCode(REGION)
                .build());

            var orders = new Service("orders", ServiceArgs.builder()
                .regionCode(REGION)
                .cpuMillis(1000)
                .memoryGbs(4)
                .replicaCount(1) // an HA replica that takes over when the primary fails
                .vpcId(network.vpcId())
                .environment("PROD")
                .build(), CustomResourceOptions.builder()
                .protect(isProtected) // a preview then refuses a deletion, and a rename without an alias
                .build());

            var reports = new ReadReplicaSet("reports", ReadReplicaSetArgs.builder()
                .serviceId(orders.serviceId())
                .nodes(2)
                .cpuMillis(500)
                .memoryGbs(2)
                .password(orders.currentPassword().applyValue(Optional::get))
                .build());

            context.export("connectionString", orders.connectionString());
            context.export("urlInNetwork", orders.vpcConnectionString());
            context.export("reportsUrl", reports.connectionString());
        });
    }
}
