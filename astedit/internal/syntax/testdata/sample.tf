# A small network
terraform {
  required_version = ">= 1.0"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 4.0" }
  }
}

variable "region" {
  type    = string
  default = "eu-west-1"
}

locals {
  names = ["a", "b", upper("c")]
  tags  = { Name = "web-${var.region}", Env = var.env ? "prod" : "dev" }
  list  = [for n in local.names : "${n}-x" if n != "b"]
  map   = { for k, v in local.tags : k => lower(v) }
}

// an instance
resource "aws_instance" "web" {
  count         = length(local.names) + 1
  ami           = data.aws_ami.ubuntu.id
  instance_type = "t2.micro"
  tags          = merge(local.tags, { Index = count.index })
  user_data     = <<-EOT
    #!/bin/sh
    echo ${var.region}
  EOT
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [tags, ami]
  }
  ebs_block_device {
    size = 10 * 2
  }
}

output "ips" {
  value = aws_instance.web[*].public_ip
}
/* end */
